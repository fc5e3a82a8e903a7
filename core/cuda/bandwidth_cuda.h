// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct CUstream_st; // a CUDA stream, as CUDA's own headers declare it

/// The kernels that a calibration on a GPU times, and its copy. Everything works on the current device and on `stream`, only issues
/// work (the caller times it by events), and throws Error (Failure) where CUDA refuses.
namespace ridgepoint {

/// One way to launch the reading kernel.
struct ReadLaunch {
    int threads = 0;                ///< of a block
    int blocksPerMultiprocessor = 0; ///< blocks in the grid for each multiprocessor; more than fit at once queue up
    int loads = 0;                  ///< 16-byte loads that a thread has in flight
    /// A block's loads lie side by side; else each of a thread's loads lies a whole grid away from the one before.
    bool together = false;
};
std::string describe(const ReadLaunch &launch); ///< "1024 threads x 16 blocks a multiprocessor, 8 loads" and " side by side"

/// Every configuration that a calibration tries: no one is best on every card.
std::vector<ReadLaunch> readLaunches();

/// Fills `bytes` (a multiple of 16) at `data` with random bits: a memory or a link that compresses would make zeros fast.
void fillRandom(void *data, std::size_t bytes, CUstream_st *stream);

/// Reads all of `data` once, and nothing else. `sink`: 4 bytes on the device, which keep the compiler from leaving the loads
/// out; written only by a chance of one in 2^32 a thread.
void readAll(const void *data, std::size_t bytes, const ReadLaunch &launch, int multiprocessors, void *sink,
             CUstream_st *stream);

/// Copies by the driver's own device-to-device copy.
void copyOnDevice(void *to, const void *from, std::size_t bytes, CUstream_st *stream);

/// Launches a kernel that does nothing.
void launchEmpty(CUstream_st *stream);

/// A CUDA graph of `nodes` kernels that do nothing, one after another.
class EmptyGraph {
public:
    explicit EmptyGraph(int nodes);
    ~EmptyGraph();
    EmptyGraph(const EmptyGraph &) = delete;
    EmptyGraph &operator=(const EmptyGraph &) = delete;
    void launch(CUstream_st *stream) const;

private:
    void *m_graph = nullptr; ///< cudaGraphExec_t
};

/// Compute capabilities that this build's kernels are compiled for, in rising order: 75, 90. Empty where the compiler did
/// not say.
std::vector<int> compiledCapabilities();

/// What of this build runs on the current device: "compiled for 9.0", or "compiled by the driver from code for 7.5".
/// Empty where CUDA does not say.
std::string kernelCode();

} // namespace ridgepoint
