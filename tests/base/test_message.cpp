// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/catalogue.h"
#include "gpu/base/message_json.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/program.h"
#include "gpu/base/messages/why.h"
#include "gpu/base/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace warpglass;

namespace {

const Saying chinese{MessageLanguage::Chinese, {}, {}};

std::size_t characters(std::string_view text) {
    std::size_t n = 0;
    for (; !text.empty(); ++n) {
        const std::size_t length = utf8Length(text);
        EXPECT_GT(length, 0u) << "cut within a character";
        text.remove_prefix(length ? length : 1);
    }
    return n;
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int n = 0; n < times; ++n)
        all += text;
    return all;
}

} // namespace

TEST(Message, isSaidInBothLanguagesWithItsArguments) {
    const Message twice = say::FreedTwice(plain("memory at 0x10"), 1);
    EXPECT_EQ(text(twice), "memory at 0x10 (1 byte) is freed a second time");
    EXPECT_EQ(text(twice, chinese), "memory at 0x10（1 字节）被第二次释放");
    // Chinese and Latin letters stand apart, whichever of them an argument brings.
    EXPECT_EQ(text(say::FreedTwice(plain("x"), 1), chinese), "x（1 字节）被第二次释放");
    EXPECT_EQ(text(say::WriterWaits(plain("a.cu")), chinese), "而它自己在 a.cu 等待");
    EXPECT_EQ(text(say::WriterWaits(plain("第 3 行")), chinese), "而它自己在第 3 行等待");
    EXPECT_EQ(text(say::FreedTwice(plain("x"), 4000)), "x (4000 bytes) is freed a second time");
    // A pair agrees with the number before it, even behind a name.
    const Message memory = say::PinnedMemory();
    EXPECT_EQ(text(say::Unfreed(1, memory, "7")), "1 byte of pinned memory is never freed: allocated by operation 7.");
    EXPECT_EQ(text(say::Unfreed(2, memory, "1")),
              "2 bytes of pinned memory are never freed: allocated by operation 1.");
    EXPECT_EQ(text(say::Unfreed(2, memory, "1"), chinese), "2 字节锁页内存从未释放：由操作 1 分配。");
    EXPECT_EQ(text(say::KernelRace(counted(plain("Two race."), 3))), "Two race. (3 times)");
    EXPECT_EQ(text(say::KernelRace(counted(plain("Two race."), 1))), "Two race.");
    // A window groups digits, and says sentences that have no identifier yet in its own words.
    const Saying window{MessageLanguage::English, [](std::uint64_t n) { return "<" + std::to_string(n) + ">"; },
                        [](const std::string& english) { return "[" + english + "]"; }};
    EXPECT_EQ(text(twice, window), "[memory at 0x10] (<1> byte) is freed a second time");
}

namespace {

// The arguments that a text asks for, and nothing else that is a mark of the catalogue's.
std::set<char> placesOf(std::string_view text) {
    std::set<char> places;
    for (std::size_t at = 0; at + 1 < text.size(); ++at)
        if (text[at] == '%' && text[at + 1] >= '1' && text[at + 1] <= '9')
            places.insert(text[at + 1]);
    return places;
}

bool hasChinese(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xe3; });
}

} // namespace

// What the catalogue promises: a word of its own for each, both languages, the same arguments in both, without gaps.
TEST(Catalogue, hasTheSameArgumentsInBothLanguages) {
    std::set<std::string_view> words;
    std::set<MessageId> ids;
    for (const CatalogueRow& row : messageRows()) {
        EXPECT_TRUE(words.insert(row.word).second) << row.word;
        EXPECT_TRUE(ids.insert(row.id).second) << row.word;
        EXPECT_EQ(rowOf(row.id), &row);
        EXPECT_EQ(rowOf(row.word), &row);
        EXPECT_NE(row.kind, MessageKind::Unknown);
        const std::set<char> places = placesOf(row.english);
        EXPECT_EQ(places, placesOf(row.chinese)) << row.english << " / " << row.chinese;
        EXPECT_EQ(places.size(), std::size_t(row.arguments)) << row.english; // %1, %2, ...: none is left out
        EXPECT_EQ(row.chinese.find('|', std::min(row.chinese.find('{'), row.chinese.size())), row.chinese.npos)
            << row.chinese; // Chinese words do not agree with numbers
        const bool hasWords = std::any_of(row.english.begin(), row.english.end(),
                                          [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
        EXPECT_TRUE(hasChinese(row.chinese) || !hasWords) << row.word << ": " << row.chinese;
    }
    EXPECT_GT(words.size(), 700u);
}

// A pair agrees with the number before it, or with the one it names; only what stands before a pair counts something.
TEST(Catalogue, speaksOfOneAndOfMany) {
    EXPECT_EQ(text(say::LanesWait(1, 3, say::Address("0x8"), say::PtxLine(7, "ld"))),
              "1 lane of 3 blocks waits for address 0x8 at PTX line 7 (ld)");
    EXPECT_EQ(text(say::LanesWait(2, 1, say::Address("0x8"), say::PtxLine(7, "ld"))),
              "2 lanes of 1 block wait for address 0x8 at PTX line 7 (ld)");
    EXPECT_EQ(text(say::BarrierDivergence(1, 32)).substr(0, 41), "Only 1 of the warp's 32 lanes reaches thi");
    const Saying window{MessageLanguage::English, [](std::uint64_t n) { return "<" + std::to_string(n) + ">"; }, {}};
    EXPECT_EQ(text(say::BeforeBegin(4000, say::BufferNamed("in"), 1), window),
              "<4000> bytes before the beginning of buffer \"in\" (<1> byte)");
    EXPECT_EQ(text(say::PtxLine(1200, "ret"), window), "PTX line 1200 (ret)"); // called so, not counted
    const std::vector<Message> two{say::LimitL1, say::LimitL2};
    EXPECT_EQ(text(say::BlockStuck(two)).substr(0, 47), "The block can never go on: L1 misses; L2 misses");
    EXPECT_NE(text(say::BlockStuck(two), chinese).find("L1 未命中；L2 未命中"), std::string::npos);
}

// As in files and between processes: what the catalogue does not have leaves the text alone.
TEST(Message, comesBackFromItsCodeOrIsItsText) {
    const Said said = say::OfThread(say::ThroughNull(say::Reads, 4, "0x0"), "k", "(0)", "(1)", say::EndOfFunction);
    EXPECT_EQ(said, "A thread reads 4 bytes through a null pointer (address 0x0): k, block (0), thread (1), "
                    "the end of the function.");
    const Said back = Said::of("whatever the file says", said.code());
    EXPECT_EQ(back, said); // the text is made anew
    EXPECT_TRUE(back.isTyped());
    EXPECT_EQ(Said("words alone").code(), "");
    for (const char* const strange :
         {"", "{", "null", "7", "[]", "{}", R"({"id":"Reads"})", R"({"id":"Reads","arguments":[1]})",
          R"({"id":"NoSuchMessage","arguments":[]})", R"({"id":7,"arguments":[]})",
          R"({"id":"BlockStuck","arguments":[-1]})", R"({"id":"BlockStuck","arguments":[1.5]})",
          R"({"id":"BlockStuck","arguments":[{"id":"none","arguments":[]}]})",
          R"({"id":"BlockStuck","arguments":[null]})"}) {
        const Said kept = Said::of("the text", strange);
        EXPECT_FALSE(kept.isTyped()) << strange;
        EXPECT_EQ(kept, "the text") << strange;
    }
    // Deeper than any sentence, and longer than any.
    std::string deep = R"({"id":"Reads","arguments":[]})";
    for (int n = 0; n < 40; ++n)
        deep = R"({"id":"BlockStuck","arguments":[)" + deep + "]}";
    EXPECT_FALSE(Said::of("deep", deep).isTyped());
    EXPECT_FALSE(
        Said::of("long", R"({"id":"BlockStuck","arguments":[")" + std::string(1 << 17, 'x') + "\"]}").isTyped());
    EXPECT_FALSE(Said::of("wild", std::string(100000, '[')).isTyped());
}

TEST(Message, failsARunByItsKindAlone) {
    std::set<MessageKind> failures;
    for (const MessageKind kind : allOf<MessageKind>)
        if (isFailure(kind))
            failures.insert(kind);
    EXPECT_EQ(failures, (std::set{MessageKind::Race, MessageKind::PassedOver, MessageKind::NotFinite}));
    // "Two threads race" in a note is no race.
    EXPECT_FALSE(isFailure(say::KernelNote(plain("Two threads race")).kind()));
}

// 600 items of 7 characters, "sm_100, ", are 4,798; the place stays, and as many items as find room.
TEST(Bounded, endsAListSoonerAndSaysHowManyAreLeftOut) {
    const std::string place = ": kernel, block (0), thread (1), line 12 of x.cu (PTX line 3).";
    std::string list = "It holds sm_100";
    for (int n = 1; n < 600; ++n)
        list += ", sm_" + std::to_string(100 + n);
    const std::string cut = bounded(list + place);
    EXPECT_LE(cut.size(), mostNoteCharacters);
    EXPECT_TRUE(cut.ends_with(" more" + place)) << cut;
    const std::size_t more = cut.find(", and ");
    ASSERT_NE(more, cut.npos) << cut;
    // What is named and what is left out are 600: an item stands before each comma, and one before the first.
    const std::string named = cut.substr(0, more);
    const auto items = 1 + std::count(named.begin(), named.end(), ',');
    EXPECT_NE(cut.find(", and " + std::to_string(600 - items) + " more"), cut.npos) << cut;
    EXPECT_GT(items, 20);
    EXPECT_EQ(bounded("short, as it is"), "short, as it is");
}

// 20 sentences of 27 characters and the spaces between: 300 have room for ten at most.
TEST(Bounded, endsAtASentence) {
    std::string sentences;
    for (int n = 10; n < 30; ++n)
        sentences += "Warp " + std::to_string(n) + " waits for a barrier. ";
    const std::string cut = bounded(sentences);
    EXPECT_LE(cut.size(), mostNoteCharacters);
    EXPECT_NE(cut.find(" waits for a barrier; and "), cut.npos) << cut;
    EXPECT_EQ(cut.find("..."), cut.npos) << cut;
}

// Characters of three bytes each: 300 of them are 900 bytes, and none is cut in two.
TEST(Bounded, countsCharactersAndCutsNone) {
    const std::string whole = repeated("线程束在等待屏障。", 33); // 297 characters
    EXPECT_EQ(bounded(whole, MessageLanguage::Chinese), whole);
    const std::string sentences = bounded(repeated("线程束在等待屏障。", 40), MessageLanguage::Chinese);
    EXPECT_LE(characters(sentences), mostNoteCharacters);
    EXPECT_NE(sentences.find("；另有 "), sentences.npos) << sentences;
    const std::string list = bounded("它有 " + repeated("某某设备、", 200) + "末项", MessageLanguage::Chinese);
    EXPECT_LE(characters(list), mostNoteCharacters);
    EXPECT_NE(list.find("，另有 "), list.npos) << list;
    for (std::size_t length = 290; length < 320; ++length) { // no mark at which anything ends
        const std::string cut = bounded(repeated("字", int(length)), MessageLanguage::Chinese);
        EXPECT_LE(characters(cut), mostNoteCharacters);
        EXPECT_EQ(cut == repeated("字", int(length)), length <= 300);
    }
    EXPECT_LE(bounded(std::string(1000, '\xff')).size(), 300u); // no UTF-8 at all
}

// A comma in a sentence makes no list of it.
TEST(Bounded, callsNoClauseAnItem) {
    const std::string cut =
        bounded("This one writes " + repeated("a word ", 26) +
                "with no barrier in between, so the result depends on which warp comes first, or on "
                "none: races, block (0), thread (32), line 9 of unnoticed.cu (PTX line 38).");
    EXPECT_LE(cut.size(), mostNoteCharacters);
    EXPECT_EQ(cut.find("more"), cut.npos) << cut;
    EXPECT_NE(cut.find(" ...: races, block (0)"), cut.npos) << cut;
}

// What stands in brackets is part of one item; a text of one clause is cut at a word, and its end stays.
TEST(Bounded, leavesBracketsWhole) {
    const std::string cut = bounded("A thread reads what was copied (" + repeated("asked for by warp 0, ", 20) +
                                    "and others): sum, block (0).");
    EXPECT_LE(cut.size(), mostNoteCharacters);
    EXPECT_EQ(cut.find("more"), cut.npos) << cut;
    EXPECT_TRUE(cut.ends_with(" ...: sum, block (0).")) << cut;
    const std::string words = bounded(repeated("word ", 100) + "end.");
    EXPECT_LE(words.size(), mostNoteCharacters);
    EXPECT_NE(words.find("word ... word"), words.npos) << words;
    EXPECT_TRUE(words.ends_with(" end.")) << words;
    for (const std::size_t most : {0u, 1u, 10u, 100u})
        EXPECT_LE(bounded(repeated("word, word. ", 50), MessageLanguage::English, most).size(),
                  std::max<std::size_t>(most, 24));
}
