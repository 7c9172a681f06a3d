// SPDX-License-Identifier: GPL-3.0-or-later
// One copy of a function's body, with or without probes, as lines of PTX.
//
// Both copies of a kernel stand in one function and share its registers and variables: only one of them runs, so the
// local depot and the static shared memory do not double. Labels of the probed copy get a suffix.
//
// Registers that every probe knows (all named %wgp_...):
//   idx    number of this lane's stream = warp row x 32 + lane          (probed copies)
//   lt     %lanemask_lt                                                (probed copies)
//   base   address of the stream's first record, less 16               (probed copies)
//   off    16 x (1 + records so far); limit: off of the first record that does not fit
//   voff, vsite, vkey, vlanes, vbefore  the last try that was in vain: off behind its record, its site, what it asked for and for
//            which lanes, and the clock before the first of them                             (where there are some)
//   q0 to q15  words of the batch that is being made
//   cplace, cbytes, cclock  of the cp.async that this lane has told of no group yet         (where there are some)
//   row    address of the block's row, 0 if it has none; early: this is warp 0  (entries)
#pragma once

#include "gpu/probe/sites.h"
#include "gpu/probe/uniform.h"

#include <algorithm>
#include <optional>

namespace warpglass::probe {

inline constexpr const char* copySuffix = "$wgp";

struct BodyOptions {
    bool probed = false;
    bool blockRecords = true;
    bool flatBlocks = false;
    bool oneDimensional = false;
    bool allEnds = false;
    const std::vector<const ptx::Function*>* addressTaken = nullptr; // nullptr: calls through pointers stay as they are
    bool launches = false; // of the module: the block's end goes into its row, else the warp's into its own cell
    std::uint32_t hiddenOffset = 0; // of the launch number in every entry's parameters
};

// Collects instructions, labels and what they need.
class BodyWriter {
public:
    BodyWriter(const ptx::Module& module, const ptx::Function& function, const SiteTable& sites,
               const std::set<std::string>& functions, const BodyOptions& options, ptx::Function& out)
        : m_module(module), m_function(function), m_sites(sites), m_functions(functions), m_options(options),
          m_out(out), m_labels(function) {
        if (!options.probed || std::none_of(function.body.begin(), function.body.end(),
                                            [](const auto& i) { return asyncPart(i) != AsyncPart::None; }))
            return;
        m_common = uniformCode(function, options.flatBlocks);
        findPollLoops();
    }

    // Appends the copy to the function being made. The first call of a function also declares the registers.
    void write();
    void label(std::string name); // before the next instruction
    void line(std::string text);  // one instruction, without ';', at the current place

    static void declareRegisters(ptx::Function& out);
    const std::map<std::uint32_t, std::vector<BatchMember>>& batches() const {
        return m_batches;
    }                  // [site] that ends one
    void startAsync(); // before the body: nothing was tried, nothing copied

private:
    std::uint32_t siteOf(std::uint32_t instruction) const; // number + 1; 0: none
    void instruction(std::uint32_t index);
    bool probe(const ptx::Instruction& i, std::uint32_t site); // with its record; false: there is none for its kind
    void copy(ptx::Instruction instruction);
    void record(RecordKind kind, std::uint32_t site, const char* a, const char* b, const std::string& guard);
    void ballotOfGuard(const ptx::Instruction& i, const char* into);
    void branch(const ptx::Instruction& i, std::uint32_t site);
    void barrier(const ptx::Instruction& i, std::uint32_t site);
    void exit(const ptx::Instruction* i, std::uint32_t site);
    bool returnsAtOnce(const ptx::Instruction& i) const;
    void linear(const char* index, const char* extent, const char* into);
    void endOfWarp(const std::string& guard);
    void endOfFirstWarp(const std::string& guard);
    void call(const ptx::Instruction& i);
    void callThroughPointer(const ptx::Instruction& i);
    void access(const ptx::Instruction& i, std::uint32_t site);
    void shuffle(const ptx::Instruction& i, std::uint32_t site);
    // Asynchronous work: body_async.cpp
    bool does(AsyncPart part) const; // the function has such a site
    void async(const ptx::Instruction& i, std::uint32_t site);
    void tryWait(const ptx::Instruction& i, std::uint32_t site);
    void phase(const ptx::Instruction& i, std::uint32_t site);
    void bulk(const ptx::Instruction& i, std::uint32_t site);
    void copyLanes(const ptx::Instruction& i, std::uint32_t site);
    void tellLanes(std::uint32_t site, const std::string& barrier, const std::string& guard);
    void waitGroups(const ptx::Instruction& i, std::uint32_t site);
    std::string keepGuard(const ptx::Instruction& i);
    void activeLanes(const std::string& guard);
    bool sharedAddress(const ptx::Operand& o, bool generic, const char* into);
    void sameOf(const ptx::Operand& address, const std::string& guard);
    ptx::Type registerType(const std::string& name) const;
    void leads(const char* lanes, const std::string& guard);
    void put(RecordKind kind, std::uint32_t site, const char* a, const char* b, const std::vector<std::string>& words,
             const std::string& lead);
    void place();
    void store(const char* a, const char* b, const std::vector<std::string>& words, const std::string& lead);
    std::uint32_t copyAbove() const;
    void recordLane(RecordKind kind, std::uint32_t site, const char* a, const char* b,
                    const std::vector<std::string>& words, const std::string& guard);
    // Records that are written together: body_batch.cpp
    bool isCommon(const ptx::Operand& o) const;
    void findPollLoops();
    bool isKept(std::uint32_t index, std::uint32_t site) const;
    bool endsBatch(const ptx::Instruction& i, std::uint32_t site) const;
    std::uint8_t claim();
    std::optional<std::uint8_t> claimAddress(const ptx::Operand& o, bool generic, bool shares);
    void forget(const ptx::Instruction& i);
    void startPoll();
    void jumpOverWait(const ptx::Instruction& i);
    BatchMember claimTry(std::uint32_t site);
    void keepTry(const ptx::Instruction& i, std::uint32_t site);
    void pollJump(const ptx::Instruction& i, std::uint32_t tries, std::uint32_t back);
    std::optional<std::uint32_t> pollThatEndsAt(std::uint32_t index) const; // by a jump back: its try
    void passed();
    void askAgain(const ptx::Instruction& tried, std::uint32_t tries);
    bool keep(const ptx::Instruction& i, std::uint32_t site);
    void flush();
    void writeBatch(std::uint32_t flags);
    // Device-side launches
    void noteLaunchArgument(const ptx::Instruction& i);
    struct RequestedLaunch {
        std::uint32_t site = 0; // + 1, 0: unknown
        std::string stream;     // as it is passed; empty: unknown
    };
    RequestedLaunch requestedLaunch() const;
    void afterBufferRequest(const ptx::Operand& result);
    void beforeLaunch(const ptx::Instruction& i, std::uint32_t site);
    void afterLaunch(const ptx::Operand& result, std::uint32_t site);
    std::string parameterSource(const ptx::Instruction& call, std::size_t argument, std::uint32_t before) const;

    const ptx::Module& m_module;
    const ptx::Function& m_function;
    const SiteTable& m_sites;
    const std::set<std::string>& m_functions;
    BodyOptions m_options;
    ptx::Function& m_out;
    const ptx::LabelMap m_labels; // of m_function
    std::uint32_t m_place = ptx::noPlace;
    std::uint32_t m_index = 0; // instruction being copied
    // A call whose result has not been fetched yet: what to do after its ld.param.
    std::string m_awaited; // the result's .param
    bool m_awaitedIsLaunch = false;
    UniformCode m_common;    // of functions with asynchronous work
    bool m_requests = false; // asks for parameter buffers
    std::uint32_t m_awaitedSite = 0;
    std::map<std::uint32_t, std::uint32_t> m_polls;     // [try] jump back, of loops that only ask
    std::map<std::uint32_t, std::uint32_t> m_jumpsOver; // [jump] try of the loop that it alone leaves out
    std::optional<BatchMember> m_mayCome;               // whose words are claimed, as such a jump may be made
    std::set<std::uint32_t> m_quiet;                    // instructions whose label is jumped to by such a loop alone
    std::vector<BatchMember> m_members;                 // of the batch that is being made
    std::map<std::string, std::uint8_t> m_held;         // [operand] word that holds the address
    std::uint32_t m_words = 0, m_clockRead = 0; // m_clockRead: instruction at which the last member's clock was read
    bool m_lastAlone = false, m_clockWanted = false;
    std::string m_behind; // label behind the loop
    std::map<std::uint32_t, std::vector<BatchMember>> m_batches;
    std::map<std::pair<std::string, std::int64_t>, const char*> m_launchArguments; // (.param, offset) -> register
};

} // namespace warpglass::probe
