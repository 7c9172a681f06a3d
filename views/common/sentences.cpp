// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/sentences.h"

#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <iterator>
#include <vector>

namespace warpglass {

namespace {

struct SentenceText {
    Q_DECLARE_TR_FUNCTIONS(Sentences)
};

// Forms of sentences, the more special first: a form is tried on the whole of a text, and what stands at its places may
// be of another form. What stands at a place is as short as it can be; before the colon that follows "%1" at the very
// beginning, as long: who and where come last.
constexpr const char* forms[] = {
    QT_TR_NOOP("The result is wrong: %1"),
    // who and where
    QT_TR_NOOP(
        "A device-side launch was dropped: %1. The launching thread gets the error, and the work is missing from "
        "the result: block %2, thread %3."),
    QT_TR_NOOP("%1: %2, block %3, thread %4, %5."),
    QT_TR_NOOP("%1: %2, block %3, %4."),
    QT_TR_NOOP("%1: %2, block %3, thread %4"), // the line is told elsewhere
    QT_TR_NOOP("line %1 of %2 (PTX line %3)"),
    QT_TR_NOOP("the end of the function"),
    QT_TR_NOOP("PTX line %1 (%2)"),
    // memory
    QT_TR_NOOP("A thread reads %1 bytes through a null pointer (address %2)"),
    QT_TR_NOOP("A thread writes %1 bytes through a null pointer (address %2)"),
    QT_TR_NOOP("A thread changes %1 bytes through a null pointer (address %2)"),
    QT_TR_NOOP("A thread reads %1 bytes at %2, in memory that was already freed (byte %3 of %4)"),
    QT_TR_NOOP("A thread writes %1 bytes at %2, in memory that was already freed (byte %3 of %4)"),
    QT_TR_NOOP("A thread changes %1 bytes at %2, in memory that was already freed (byte %3 of %4)"),
    QT_TR_NOOP("A thread reads %1 bytes at offset %2 of the %3, which has %4 bytes"),
    QT_TR_NOOP("A thread writes %1 bytes at offset %2 of the %3, which has %4 bytes"),
    QT_TR_NOOP("A thread changes %1 bytes at offset %2 of the %3, which has %4 bytes"),
    QT_TR_NOOP("%1; the kernel takes dynamic shared memory, and the launch gives it none (--shared, or the third value "
               "in <<<grid, block, bytes>>>)"),
    QT_TR_NOOP("A thread reads %1 bytes at %2, %3"),
    QT_TR_NOOP("A thread writes %1 bytes at %2, %3"),
    QT_TR_NOOP("A thread changes %1 bytes at %2, %3"),
    QT_TR_NOOP("%1 bytes before the beginning of %2 (%3 bytes)"),
    QT_TR_NOOP("%1 bytes past the end of %2 (%3 bytes)"),
    QT_TR_NOOP("where there is no memory"),
    QT_TR_NOOP("buffer \"%1\""),
    QT_TR_NOOP("byte %1 of %2 (%3 bytes)"),
    QT_TR_NOOP("byte %1 of %2"),
    QT_TR_NOOP("memory at %1"),
    QT_TR_NOOP("shared memory of the block"),
    QT_TR_NOOP("local memory of the thread"),
    QT_TR_NOOP("constant memory"),
    QT_TR_NOOP("A thread accesses %1 bytes at %2, which is not a multiple of %3"),
    QT_TR_NOOP("A thread reads %1 before anything was written there, so it finds whatever was left there by others"),
    QT_TR_NOOP("A thread changes %1 before anything was written there, so it finds whatever was left there by others"),
    QT_TR_NOOP("a local variable (byte %1 of the thread's local memory)"),
    QT_TR_NOOP("%1 bytes that malloc gave a thread are never freed"),
    QT_TR_NOOP("%1 bytes of %2 are never freed: allocated by operation %3."),
    QT_TR_NOOP("%1 allocations of %2 bytes of %3 each, %4 bytes in all, are never freed: operations %5."),
    QT_TR_NOOP("device memory"),
    QT_TR_NOOP("managed memory"),
    QT_TR_NOOP("pinned memory"),
    // races
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 reads (%5) at "
               "%6; no barrier, and no fence with an atomic or a flag, says which comes first"),
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; no barrier, and no fence with an atomic or a flag, says which comes first"),
    QT_TR_NOOP("Two threads race in global memory: this one reads %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; no barrier, and no fence with an atomic or a flag, says which comes first"),
    QT_TR_NOOP(
        "Races are looked for in a part of global memory only: the launch touches more of it than the check remembers"),
    QT_TR_NOOP(
        "Two threads race: this one reads %1 from a word of shared memory (byte %2) that thread %3 of another warp "
        "wrote (%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP("Two threads race: this one reads %1 from a word of shared memory (byte %2) that thread %3 of another "
               "warp atomically changed (%4) at %5 with no __syncthreads() in between, so the result depends on which "
               "warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one atomically changes a word of shared memory (byte %1) that thread %2 of another "
        "warp wrote (%3) at %4 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one atomically changes a word of shared memory (byte %1) that thread %2 of another "
        "warp read (%3) at %4 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 reads (%5) at "
               "%6; an atomic of the block's scope is one for the threads of its own block alone"),
    QT_TR_NOOP("Two threads race in global memory: this one writes %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; an atomic of the block's scope is one for the threads of its own block alone"),
    QT_TR_NOOP("Two threads race in global memory: this one reads %1 (%2), which block %3, thread %4 writes (%5) at "
               "%6; an atomic of the block's scope is one for the threads of its own block alone"),
    QT_TR_NOOP(
        "Two threads race: this one writes %1 to a word of shared memory (byte %2) that thread %3 of another warp also "
        "wrote (%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one writes %1 to a word of shared memory (byte %2) that thread %3 of another warp read "
        "(%4) at %5 with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP(
        "Two threads race: this one writes %1 to a word of shared memory (byte %2) that a thread of another warp "
        "read with no __syncthreads() in between, so the result depends on which warp comes first"),
    QT_TR_NOOP("A thread reads a word of shared memory (byte %1) that lane %2 of the same warp wrote at %3 with no "
               "__syncwarp() in between; this is only right while the lanes run in lock-step, which compute capability "
               "7.0 and later do not promise"),
    QT_TR_NOOP("A thread writes a word of shared memory (byte %1) that lane %2 of the same warp also wrote at %3 with "
               "no __syncwarp() in between; this is only right while the lanes run in lock-step, which compute "
               "capability 7.0 and later do not promise"),
    QT_TR_NOOP("A thread writes a word of shared memory (byte %1) that lane %2 of the same warp read at %3 with no "
               "__syncwarp() in between; this is only right while the lanes run in lock-step, which compute capability "
               "7.0 and later do not promise"),
    QT_TR_NOOP(
        "A thread writes a word of shared memory (byte %1) that another lane of the same warp read at %2 with no "
        "__syncwarp() in between; this is only right while the lanes run in lock-step, which compute capability "
        "7.0 and later do not promise"),
    QT_TR_NOOP("A thread reads through a volatile pointer what lane %1 of the same warp wrote, with no __syncwarp() in "
               "between; this is only right while the lanes run in lock-step, which compute capability 7.0 and later "
               "do not promise"),
    // barriers, and what never ends
    QT_TR_NOOP("Only %1 of the warp's %2 lanes reach this __syncthreads() together; a barrier in a branch that not all "
               "threads take is undefined"),
    QT_TR_NOOP("There is no barrier %1: a block has barriers 0 to 15"),
    QT_TR_NOOP("A thread asks for the shared memory of block %1 of its cluster, which has already ended: a cluster "
               "needs a barrier behind its last access"),
    QT_TR_NOOP("A thread asks for the shared memory of block %1 of its cluster, which has not yet begun: a cluster "
               "needs a barrier before its first access"),
    QT_TR_NOOP("A thread asks for the shared memory of block %1 of its cluster, which has %2"),
    QT_TR_NOOP("A thread arrives at the cluster's barrier for the second time without having waited"),
    QT_TR_NOOP("A loop that never finishes, since it waits for what is never written: %1, and nobody is left who could "
               "write there: %2 of %3 blocks have ended, and in the others all threads wait or have ended"),
    QT_TR_NOOP("A loop that never finishes, since it waits for what is never written: %1, and nobody is left who could "
               "write there: %2 of %3 block has ended, and in the others all threads wait or have ended"),
    QT_TR_NOOP("A loop that never finishes, since it waits for what is never written: %1, and %2 blocks cannot begin "
               "before one of them ends: %3 live on the device at once"),
    QT_TR_NOOP("The block can never go on: %1. Threads that they wait for never come there"),
    QT_TR_NOOP("The launch can never go on: %1. Nobody is left who could do that"),
    // launches
    QT_TR_NOOP("%1 launches are pending, which is all that a limit of %2 lets wait (error %3); the host is not told"),
    QT_TR_NOOP("more launches were pending than the limit allows (error 69); the host is not told"),
    QT_TR_NOOP(
        "the device gave no parameter buffer for it: too many launches were pending, or its shape is not allowed; "
        "the host is not told"),
    QT_TR_NOOP("more than %1 levels of launches (error %2)"),
    QT_TR_NOOP("a grid of %1 blocks of %2 threads cannot be launched"),
    QT_TR_NOOP("a block of %1 has no threads: its %2 is 0"),
    QT_TR_NOOP("a block of %1 has %2 threads; %3 (compute capability %4) runs at most %5 threads a block"),
    QT_TR_NOOP("a block of %1 has %2 threads along z; a block may have %3 along z"),
    QT_TR_NOOP("a grid of %1 has no blocks: its %2 is 0"),
    QT_TR_NOOP("a grid of %1 has %2 blocks along %3; %4 allows %5 along %6"),
    QT_TR_NOOP("the block needs %1 bytes of shared memory; %2 gives a block at most %3 bytes"),
    QT_TR_NOOP("there is not enough memory here to run %1"),
    QT_TR_NOOP("there is not enough memory here for this"),
    QT_TR_NOOP("the emulator itself broke here (%1)"),
    QT_TR_NOOP("the emulator itself broke here (%1): %2"),
    QT_TR_NOOP("it could not be graded: %1"),
    QT_TR_NOOP("signal %1"),
    QT_TR_NOOP("status %1"),
    QT_TR_NOOP("no answer"),
    QT_TR_NOOP("this system has no Landlock: what a stranger's kernel runs in is closed off by a filter of system "
               "calls alone, and a hand-in's compiler may read what this user may"),
    QT_TR_NOOP("this system has no filter of system calls (seccomp): what a stranger's kernel runs in is closed off "
               "by Landlock and limits alone"),
    QT_TR_NOOP("this system has neither a filter of system calls (seccomp) nor Landlock: what a stranger's kernel "
               "runs in is a process of its own with limits, and no more"),
    QT_TR_NOOP(
        "the buffers of the launch take %1 of this machine's memory, where the largest of them is copied after the "
        "run; %2 is the limit"),
    QT_TR_NOOP("the kernel is not saved: another program has changed it, and what it wrote there can be kept nowhere"),
    QT_TR_NOOP("there is no kernel \"%1\" in the catalogue, and it is no .ptx or .cu file"),
    // what to do
    QT_TR_NOOP("Make the block smaller and the grid larger."),
    QT_TR_NOOP("Make the blocks larger, or let a thread do more."),
    QT_TR_NOOP("Put the longest axis of the grid on x."),
    QT_TR_NOOP("Give every axis of the block at least 1."),
    QT_TR_NOOP("Give every axis of the grid at least 1."),
    QT_TR_NOOP("Use less shared memory a block, or choose a device with more."),
    QT_TR_NOOP("Choose a smaller size, or record less detail."),
    QT_TR_NOOP("Choose a smaller size, record less detail, or close other programs."),
    QT_TR_NOOP("Ask for less, or set the variable WARPGLASS_MEMORY to a larger limit, such as 32G."),
    QT_TR_NOOP("Please report it, with the kernel's file, its launch (grid, block, arguments, options) and \"%1\"."),
    QT_TR_NOOP("Save it under another name."),
    QT_TR_NOOP("size %1 is not possible here"),
    QT_TR_NOOP("a block of %1 holds nothing"),
    QT_TR_NOOP("a grid of %1 holds nothing"),
    QT_TR_NOOP("this kernel does not work with a block of %1"),
    QT_TR_NOOP("this kernel does not work with a grid of %1"),
    QT_TR_NOOP("Choose a size from %1 to %2."),
    QT_TR_NOOP("Each dimension must be at least 1."),
    QT_TR_NOOP("It counts its threads along x only: give one number."),
    QT_TR_NOOP("It counts its blocks along x only: give one number."),
    // what a launch's time is spent on
    QT_TR_NOOP("Without %1, and without %2, the launch would take %3 less."),
    QT_TR_NOOP("Without all of them it would take %1, %2 less."),
    QT_TR_NOOP(
        "Even without all of them it would take %1, %2 of its time: what remains are instructions of a thread that "
        "wait for each other's results."),
    QT_TR_NOOP("No single limit costs this launch much: there is nothing to gain from taking one away."),
    QT_TR_NOOP("%1, the launch would take %2 less."),
    QT_TR_NOOP("If both sides of each branch ran at once"),
    QT_TR_NOOP("If only the bytes that are asked for moved"),
    QT_TR_NOOP("If shared memory had no bank conflicts"),
    QT_TR_NOOP("If every load hit L1"),
    QT_TR_NOOP("If everything lay in L2"),
    QT_TR_NOOP("If memory moved any number of bytes a second"),
    QT_TR_NOOP("If memory answered at once"),
    QT_TR_NOOP("If atomics on one address did not queue"),
    QT_TR_NOOP("If nobody waited at a barrier"),
    QT_TR_NOOP("If all ready warps could issue at once"),
    QT_TR_NOOP("If registers did not limit how many blocks are resident"),
    QT_TR_NOOP("If shared memory did not limit how many blocks are resident"),
    QT_TR_NOOP("If an SM had places for any number of warps and blocks"),
    QT_TR_NOOP("If all SMs were at work until the end"),
    QT_TR_NOOP("If launching and starting blocks cost nothing"),
    QT_TR_NOOP("divergent branches"),
    QT_TR_NOOP("uncoalesced access"),
    QT_TR_NOOP("bank conflicts"),
    QT_TR_NOOP("L1 misses"),
    QT_TR_NOOP("L2 misses"),
    QT_TR_NOOP("memory bandwidth"),
    QT_TR_NOOP("memory latency"),
    QT_TR_NOOP("atomics on one address"),
    QT_TR_NOOP("waiting at barriers"),
    QT_TR_NOOP("issue slots"),
    QT_TR_NOOP("registers of an SM"),
    QT_TR_NOOP("shared memory of an SM"),
    QT_TR_NOOP("places for warps and blocks"),
    QT_TR_NOOP("the tail"),
    QT_TR_NOOP("launching"),
    QT_TR_NOOP("%1 of the warps that come to this branch go both ways; %2 of all that do."),
    QT_TR_NOOP("a warp touches %1 sectors where %2 would do; %3."),
    QT_TR_NOOP("a warp's access takes %1 passes where %2 would do; %3."),
    QT_TR_NOOP("a warp loads %1 sectors here, %2 of all; %3."),
    QT_TR_NOOP("on average %1 lanes of a warp meet at one address; %2."),
    QT_TR_NOOP("lanes of one warp do not meet at an address here, but warps do; %1."),
    QT_TR_NOOP("lanes that want one word of shared memory are served one after the other; %1."),
    QT_TR_NOOP("without that the launch would take %1 less"),
    QT_TR_NOOP("The launch finds in L2 what came before it, as far as that is still there. "
               "Its code lies there, too, so that it begins a microsecond sooner than one that is launched alone."),
    QT_TR_NOOP("mending that alone would save next to nothing"),
    QT_TR_NOOP("%1 of the time that warps wait at barriers."),
    QT_TR_NOOP("%1 of the time that warps wait for what they loaded; here it is needed."),
    QT_TR_NOOP("%1 of the time that warps wait for memory."),
    QT_TR_NOOP("%1 of the time that warps issue or could."),
    QT_TR_NOOP(
        "Held to hardware: %1 pairs of kernels, the second without %2. An H200 gained %3; the model had predicted "
        "%4."),
    QT_TR_NOOP("No pair of kernels with and without %1 was measured: only the model speaks here."),
    QT_TR_NOOP("All times are modelled: %1 off an H200's on average, on kernels the model was not made with."),
    QT_TR_NOOP("All times are modelled; nothing was measured on this device to compare them with."),
    QT_TR_NOOP("This recording holds no launch that can be run again: its kernel is not in the gallery"),
    QT_TR_NOOP("Open the kernel's own file (.cu or .ptx), run it with its arguments, and ask there."),
    QT_TR_NOOP("This launch cannot be run again from its recording: some of its data came from a file that was too "
               "large to be kept"),
    QT_TR_NOOP("This recording holds no launch that can be run again: it does not name its kernel"),
    QT_TR_NOOP("the recording's word for %1 is none: \"%2\""),
    QT_TR_NOOP("The launch of this recording cannot be run again just as it was"),
    QT_TR_NOOP("PTX line %1 (%2)"),
    QT_TR_NOOP("line %1 (%2)"),
    QT_TR_NOOP("PTX line %1"),
    QT_TR_NOOP("line %1"),
    QT_TR_NOOP("load"),
    QT_TR_NOOP("store"),
    QT_TR_NOOP("atomic"),
    // results
    QT_TR_NOOP("%1 is %2, the host computes %3 (the first of %4 wrong values of %5)"),
    QT_TR_NOOP("%1 is %2, the host computes %3"),
    // recordings
    QT_TR_NOOP("table %1 is damaged: it has more than its %2 rows"),
    QT_TR_NOOP("table %1 is damaged in row %2, column %3"),
    QT_TR_NOOP("table %1 is damaged: it has %2 rows instead of %3"),
    QT_TR_NOOP("table %1 is damaged: its rows are not those that were written"),
    QT_TR_NOOP("table %1 is damaged: its chunks are not those that were written"),
    QT_TR_NOOP("table %1 is damaged: chunk %2 is not in its place"),
    QT_TR_NOOP("table %1 is damaged: chunk %2 has an odd size"),
    QT_TR_NOOP("table %1 is damaged: its last chunk is too large"),
    QT_TR_NOOP("table %1, chunk %2 is damaged: its numbers cannot be unpacked"),
    QT_TR_NOOP("table tables is damaged"),
    QT_TR_NOOP("table tables is damaged: it does not list table %1"),
    QT_TR_NOOP("table chunks is damaged: it has chunks of a table that there is none of"),
    QT_TR_NOOP("the file is damaged (%1)"),
    QT_TR_NOOP("the file is damaged: table %1 lies where another one does"),
    QT_TR_NOOP("the file is damaged at offset 16: impossible page size"),
    QT_TR_NOOP("the file cannot be read or written (%1)"),
    QT_TR_NOOP("the file is not as Warpglass writes it: it has a %1 \"%2\""),
    QT_TR_NOOP("the recording takes %1 of memory when it is read, and %2 is the limit"),
    QT_TR_NOOP("reading was cancelled"),
    QT_TR_NOOP("there is no such file"),
    QT_TR_NOOP("this is a folder, not a recording"),
    QT_TR_NOOP("this is not a regular file"),
    QT_TR_NOOP("the file cannot be opened (%1)"),
    QT_TR_NOOP("the file cannot be read: it is a folder"),
    QT_TR_NOOP("the file cannot be read: it is a pipe, a socket or a device, which may never end"),
    QT_TR_NOOP("Write what it gives into a file."),
    QT_TR_NOOP("no folder for temporary files can be made here"),
    QT_TR_NOOP("Let the variable TMPDIR name a folder that can be written to."),
    QT_TR_NOOP("the file cannot be read (%1)"),
    QT_TR_NOOP("the file is empty"),
    QT_TR_NOOP("this is not a Warpglass recording (offset 0 holds something else)"),
    QT_TR_NOOP("the file is cut off at offset %1, within its header"),
    QT_TR_NOOP("the file is cut off at offset %1; it should have %2 bytes"),
    QT_TR_NOOP("the recording has no format version (offset 60)"),
    QT_TR_NOOP("table %1: %2"),
    // who waits for what: parts of the sentences above
    QT_TR_NOOP("%1; %2"),
    QT_TR_NOOP("%1 more places"),
    QT_TR_NOOP("%1, where no thread has ever written"),
    QT_TR_NOOP("%1, where block %2, thread %3 last wrote %4 at %5, %6"),
    QT_TR_NOOP("%1 lanes of %2 blocks wait for %3 at %4"),
    QT_TR_NOOP("%1 lanes of %2 block wait for %3 at %4"),
    QT_TR_NOOP("%1 lane of %2 block waits for %3 at %4"),
    QT_TR_NOOP("whose block has ended"),
    QT_TR_NOOP("which has ended"),
    QT_TR_NOOP("which stands at a barrier at %1"),
    QT_TR_NOOP("which itself waits at %1"),
    QT_TR_NOOP("which stands still until these lanes of its own warp have come to where it is: lanes that may each go "
               "on alone are another way to reconverge (independent)"),
    QT_TR_NOOP("which does not come to write again"),
    QT_TR_NOOP("in an earlier launch"),
    QT_TR_NOOP("the barrier of their cluster, to which %1 of %2 threads have not come"),
    QT_TR_NOOP("warps %1 and %2 more wait for %3"),
    QT_TR_NOOP("warps %1 wait for %2"),
    QT_TR_NOOP("warp %1 waits for %2"),
    QT_TR_NOOP("the other lanes of their warp at %1"),
    QT_TR_NOOP("the other warps of their warpgroup at %1"),
    QT_TR_NOOP("barrier %1 at %2"),
    QT_TR_NOOP("byte %1 of shared memory"),
    QT_TR_NOOP("byte %1 of %2"),
    QT_TR_NOOP("address %1"),
    QT_TR_NOOP("shared memory"),
    QT_TR_NOOP("local memory"),
    // no GPU here
    QT_TR_NOOP("this Warpglass has no part for GPUs"),
    QT_TR_NOOP("Install the package warpglass-gpu, build where a CUDA toolkit is, or use the emulator."),
    QT_TR_NOOP(
        "this Warpglass has no part for GPUs. Install the package warpglass-gpu, build where a CUDA toolkit is, or use "
        "the emulator."),
    QT_TR_NOOP("this machine has no NVIDIA driver"),
    QT_TR_NOOP("this machine has an NVIDIA driver but no GPU that can be used"),
    QT_TR_NOOP("the NVIDIA driver is too old (it supports CUDA %1, this program needs %2)"),
    QT_TR_NOOP("Use the emulator, or a machine with an NVIDIA GPU."),
    QT_TR_NOOP("Update the driver."),
    QT_TR_NOOP("this machine has no NVIDIA driver. Use the emulator, or a machine with an NVIDIA GPU."),
    QT_TR_NOOP(
        "this machine has an NVIDIA driver but no GPU that can be used. Use the emulator, or a machine with an NVIDIA "
        "GPU."),
    QT_TR_NOOP("the NVIDIA driver is too old (it supports CUDA %1, this program needs %2). Update the driver."),
};

struct Form {
    QRegularExpression known;
    const char* text;
};

const std::vector<Form>& knownForms() {
    static const std::vector<Form> known = [] {
        static const QRegularExpression place(QStringLiteral("%\\d"));
        std::vector<Form> made;
        for (const char* form : forms) {
            const QString text = QString::fromUtf8(form);
            QString pattern;
            qsizetype from = 0;
            for (auto match = place.globalMatch(text); match.hasNext();) {
                const QRegularExpressionMatch at = match.next();
                const bool greedy = from == 0 && text.startsWith(QLatin1String("%1: "));
                pattern +=
                    QRegularExpression::escape(text.mid(from, at.capturedStart() - from)) +
                    (greedy ? QStringLiteral("(?<p1>.+)") : QStringLiteral("(?<p%1>.+?)").arg(at.captured().mid(1)));
                from = at.capturedEnd();
            }
            pattern += QRegularExpression::escape(text.mid(from));
            for (const auto& [many, oneToo] : // or one
                 {std::pair(" bytes", "\\ bytes?"), std::pair(" sectors", "\\ sectors?"),
                  std::pair(" blocks", "\\ blocks?"), std::pair(" threads", "\\ threads?"),
                  std::pair(" more places", "\\ more\\ places?"), std::pair(" are never", "\\ (?:are|is)\\ never"),
                  std::pair(" have not come", "\\ (?:have|has)\\ not\\ come"),
                  std::pair(" lanes reach", "\\ lanes\\ reach(?:es)?"),
                  std::pair(" launches are pending", "\\ launch(?:es\\ are|\\ is)\\ pending"),
                  std::pair(" one of them ends", "\\ (?:one\\ of\\ them|another\\ one)\\ ends"),
                  std::pair(" live on", "\\ lives?\\ on")})
                pattern.replace(QRegularExpression::escape(QLatin1String(many)), QLatin1String(oneToo));
            made.push_back({QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                                               QRegularExpression::DotMatchesEverythingOption),
                            form});
        }
        return made;
    }();
    return known;
}

// Options of the command line and the fields of the window that are the same.
struct Field {
    const char *option, *name;
};
constexpr Field fields[] = {{"--block", QT_TR_NOOP("Block")},   {"--grid", QT_TR_NOOP("Grid")},
                            {"--size", QT_TR_NOOP("Elements")}, {"--mode", QT_TR_NOOP("Mode")},
                            {"--device", QT_TR_NOOP("Device")}, {"--policy", QT_TR_NOOP("Policy")},
                            {"--detail", QT_TR_NOOP("Record")}, {"--accesses", QT_TR_NOOP("Record")},
                            {"--timing", QT_TR_NOOP("Record")}, {"--set", QT_TR_NOOP("Parameters")},
                            {"--arg", QT_TR_NOOP("Arguments")}, {"--buffer", QT_TR_NOOP("Arguments")},
                            {"--kernel", QT_TR_NOOP("Kernel")}, {"--shared", QT_TR_NOOP("Shared memory")},
                            {"--backend", QT_TR_NOOP("Device")}};

QString withFields(QString text) {
    static const QRegularExpression option(QStringLiteral("--[a-z][a-z-]*"));
    for (qsizetype at = text.indexOf(option); at >= 0; at = text.indexOf(option, at)) {
        const QString word = option.match(text, at).captured();
        QString name = word; // another program's, a compiler's say
        for (const Field& field : fields)
            if (word == QLatin1String(field.option))
                name = SentenceText::tr(field.name);
        text.replace(at, word.size(), name);
        at += name.size();
    }
    return text;
}

// "20000000 instructions": "20,000,000 instructions". Only what is counted, for lines, errors and warps are called by
// numbers, too.
QString withGroupedCounts(const QString& english) {
    static const QRegularExpression count(
        QStringLiteral("(?<![\\w.,:#/(-])(\\d{4,18})(?= "
                       "(?:bytes?|instructions|elements|threads|blocks|launches|levels|rows|lanes|events|"
                       "wrong values|more places|values)\\b)|(?<=\\()(\\d{4,18})(?= bytes\\))"));
    QString text;
    qsizetype from = 0;
    for (auto at = count.globalMatch(english); at.hasNext();) {
        const QRegularExpressionMatch match = at.next();
        text += QStringView(english).mid(from, match.capturedStart() - from);
        text += numberText(std::int64_t(match.captured().toLongLong()));
        from = match.capturedEnd();
    }
    return text + english.mid(from);
}

bool isEnglish() {
    return SentenceText::tr("line %1") == QLatin1String("line %1");
}

QString inWindowsLanguage(const QString& english) {
    if (isEnglish())
        return english;
    for (const Form& form : knownForms()) {
        const QRegularExpressionMatch match = form.known.match(english);
        if (!match.hasMatch())
            continue;
        const QString local = SentenceText::tr(form.text);
        QString said;
        for (qsizetype i = 0; i < local.size(); ++i) {
            const bool place = local[i] == QLatin1Char('%') && i + 1 < local.size() && local[i + 1].isDigit();
            said +=
                place ? inWindowsLanguage(match.captured(QStringLiteral("p%1").arg(local[i + 1]))) : QString(local[i]);
            i += place;
        }
        return said;
    }
    return english;
}

} // namespace

QString sentence(const QString& english) {
    return shown(inWindowsLanguage(withGroupedCounts(english)));
}

QString sentence(const Message& message) {
    const Saying saying{isEnglish() ? MessageLanguage::English : MessageLanguage::Chinese,
                        [](std::uint64_t number) { return numberText(number).toStdString(); },
                        [](const std::string& english) { return sentence(english).toStdString(); }};
    return shown(QString::fromStdString(text(message, saying)));
}

QString sentence(const Error& error) {
    const QString message = withFields(sentence(error.message)), remedy = withFields(sentence(error.remedy));
    QString place = withFields(shown(QString::fromStdString(error.file)));
    if (error.line > 0)
        place += place.isEmpty() ? SentenceText::tr("line %1").arg(error.line) : QStringLiteral(":%1").arg(error.line);
    if (error.line > 0 && error.column > 0)
        place += QStringLiteral(":%1").arg(error.column);
    QString all = place.isEmpty() ? message : SentenceText::tr("%1: %2").arg(place, message);
    if (remedy.isEmpty())
        return all;
    const bool ended = all.endsWith(QLatin1Char('.')) || all.endsWith(QChar(0x3002));
    return ended ? all + QLatin1Char(' ') + remedy : SentenceText::tr("%1. %2").arg(all, remedy);
}

} // namespace warpglass
