// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/kernels.h"

#include "core/base/error.h"

#include <cstdlib>
#include <string>

namespace ridgepoint::kernels {

#if defined(__x86_64__)
void avx512Bf16Kernels(const Ops<float> **fp32, const Ops<Bf16> **bf16);
void avx512Kernels(const Ops<float> **fp32, const Ops<Bf16> **bf16);
void avx2Kernels(const Ops<float> **fp32, const Ops<Bf16> **bf16);
#endif
void portableKernels(const Ops<float> **fp32, const Ops<Bf16> **bf16);

namespace {

using Factory = void (*)(const Ops<float> **, const Ops<Bf16> **);
constexpr Factory kFactories[] = {
#if defined(__x86_64__)
    avx512Bf16Kernels, avx512Kernels, avx2Kernels,
#endif
    portableKernels,
};

template <typename T>
std::vector<const Ops<T> *> collect()
{
    const char *only = std::getenv("RIDGEPOINT_KERNELS");
    std::vector<const Ops<T> *> all;
    std::string names;
    for (const Factory factory : kFactories) {
        const Ops<float> *fp32 = nullptr;
        const Ops<Bf16> *bf16 = nullptr;
        factory(&fp32, &bf16);
        const Ops<T> *ops;
        if constexpr (std::is_same_v<T, float>)
            ops = fp32;
        else
            ops = bf16;
        if (!ops->supported())
            continue;
        names += names.empty() ? ops->name : std::string(", ") + ops->name;
        if (!only || !*only || std::string(only) == ops->name)
            all.push_back(ops);
    }
    if (all.empty())
        throw Error(ErrorKind::Usage, "RIDGEPOINT_KERNELS is '" + std::string(only) +
                                          "', which this processor cannot run or this build lacks; use one of: " +
                                          names + ".");
    return all;
}

} // namespace

template <>
const std::vector<const Ops<float> *> &availableOps<float>()
{
    static const auto all = collect<float>();
    return all;
}
template <>
const std::vector<const Ops<Bf16> *> &availableOps<Bf16>()
{
    static const auto all = collect<Bf16>();
    return all;
}

} // namespace ridgepoint::kernels
