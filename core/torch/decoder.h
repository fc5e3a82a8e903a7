// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/step_parts.h"
#include "core/base/error.h"
#include "core/session/plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace ridgepoint {

/// Told where the parts of a step begin, while the step is issued. Off the timed path: a decoder without marks pays for a null
/// check a part.
class PartMarks {
public:
    virtual ~PartMarks() = default;
    /// What is issued from here on belongs to `part` of `layer` (-1: outside the layers). `own`: what the decoder's own code
    /// does there on the host, as in "rmsNorm"; null: nothing but operations of libtorch or kernels of the device.
    virtual void begin(StepPart part, int layer, const char *own) = 0;
    /// The last part ends here.
    virtual void end() = 0;
    /// What was begun last is one kernel that serves several parts. `seconds` gives, once the step is done, the time of each by
    /// the kernel's own clock.
    virtual void within(std::function<std::map<StepPart, double>()> seconds) { (void)seconds; }
};

/// A decoder with static KV cache, in libtorch. No torch type appears here: torch headers stay in .cpp files.
/// One decoder belongs to one thread. Faults throw Error; running out of memory throws OutOfMemory.
class Decoder {
public:
    /// `mode`: how steps are issued; Graph needs a GPU.
    /// Builds the weights: random ones of `source.shape`, or those of `source.folder`, converted to `dtype` on `device`.
    /// `progress` gets 0..1. Throws Error (Cancelled) when stopped.
    static std::unique_ptr<Decoder> create(const ModelSource &source, DType dtype, const std::string &device,
                                           DecodeMode mode, std::uint64_t seed, const std::function<void(double)> &progress,
                                           std::stop_token stop);
    virtual ~Decoder() = default;

    virtual const ModelShape &shape() const = 0;
    virtual double weightBytes() const = 0; ///< bytes of all weight tensors that are held

    /// Allocates K and V for `batch` sequences of at most `maxContext` tokens, all layers; replaces the old cache.
    virtual void allocateCache(std::int64_t batch, std::int64_t maxContext) = 0;
    virtual void releaseCache() = 0;
    virtual double kvBytes() const = 0; ///< bytes of the allocated cache

    enum class PrefillMode {
        EverySequence, ///< the honest prefill of b x p tokens: what TTFT times
        OnceCopied,    ///< one sequence is computed and its cache copied to the rest: fills the cache of a sweep
    };
    /// Runs the prompt (the same for every sequence) into an empty cache and picks the first new token greedily.
    virtual void prefill(const std::vector<std::int64_t> &prompt, PrefillMode mode) = 0;
    /// One decode step for every sequence: feeds the last token, appends to the cache, picks the next one greedily.
    /// Returns when it is issued: a GPU may still be at work, and the next step may be issued behind it at once.
    virtual void issueStep() = 0;
    /// Waits until the device has done every step that was issued.
    virtual void wait() = 0;
    /// issueStep() and wait().
    void step()
    {
        issueStep();
        wait();
    }
    /// Steps tell `marks` where their parts begin, until null is set. A step with marks is issued one operation at a time, in
    /// mode graph too: a replayed step has no parts on the host. A decoder that knows no parts tells nothing.
    virtual void setPartMarks(PartMarks *marks) { (void)marks; }
    /// Which implementation attends in decode and in prefill, for the record.
    virtual std::string attentionPath() const = 0;
    /// Nodes of the captured step; 0 where steps are not replayed from a graph.
    virtual std::int64_t graphNodes() const { return 0; }
    virtual std::int64_t context() const = 0;  ///< tokens in the cache
    /// Counts the cache as holding `context` tokens, whatever lies there: for timing a step without the prompt before it.
    virtual void holdContext(std::int64_t context) = 0;
    virtual void rewind(std::int64_t context) = 0; ///< forgets cached tokens beyond `context` (0: empty)
    virtual std::vector<std::int64_t> lastTokens() const = 0; ///< newest token of each sequence
    virtual std::vector<float> lastLogits(std::int64_t sequence) const = 0; ///< vocab values, for tests
};

/// The device cannot be used again by this process.
class DeviceLost : public Error {
public:
    explicit DeviceLost(const std::string &sentence) : Error(ErrorKind::Failure, sentence) {}
};

class OutOfMemory : public Error {
public:
    explicit OutOfMemory(const std::string &sentence) : Error(ErrorKind::Failure, sentence) {}
};

} // namespace ridgepoint
