// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/plan.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace ridgepoint {

std::string_view experimentName(Experiment experiment)
{
    switch (experiment) {
    case Experiment::Calibrate:
        return "calibrate";
    case Experiment::Ttft:
        return "ttft";
    case Experiment::Sweep:
        return "sweep";
    case Experiment::Line:
        return "line";
    case Experiment::Anatomy:
        return "anatomy";
    }
    return {};
}

std::optional<Experiment> parseExperiment(std::string_view text)
{
    for (const Experiment e : {Experiment::Calibrate, Experiment::Ttft, Experiment::Sweep, Experiment::Line,
                               Experiment::Anatomy})
        if (experimentName(e) == text)
            return e;
    return std::nullopt;
}

namespace {

constexpr std::int64_t kMaxBatch = 65536;
constexpr std::int64_t kMaxPrompt = 10'000'000;
constexpr std::int64_t kMaxSteps = 1'000'000;
constexpr std::int64_t kMaxRepeats = 10'000;
constexpr std::int64_t kMaxThreads = 1024;
constexpr std::size_t kMaxListed = 1000;
constexpr std::size_t kMaxPromptText = 16'000'000;

[[noreturn]] void usage(const std::string &sentence)
{
    throw Error(ErrorKind::Usage, sentence);
}

void checkRange(std::string_view what, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value < low || value > high)
        usage(fmt::format("{} is {}; give a number from {} to {}.", what, value, low, high));
}

void checkList(std::string_view what, std::string_view option, const std::vector<std::int64_t> &values,
               std::int64_t high)
{
    if (values.empty())
        usage(fmt::format("The list of {} is empty; give at least one number from 1 to {} ({}).", what, high, option));
    if (values.size() > kMaxListed)
        usage(fmt::format("The list of {} has {} entries; give at most {} ({}).", what, values.size(), kMaxListed,
                          option));
    for (const std::int64_t value : values)
        if (value < 1 || value > high)
            usage(fmt::format("{} is not usable in the list of {}; give numbers from 1 to {} ({}).", value, what, high,
                              option));
}

void checkNumber(std::string_view what, double value)
{
    if (!std::isfinite(value) || value < 0)
        usage(fmt::format("{} is {}; give a finite number that is not negative.", what, value));
}

bool isCuda(std::string_view device)
{
    constexpr std::string_view prefix = "cuda:";
    if (device.substr(0, prefix.size()) != prefix)
        return false;
    const std::string_view digits = device.substr(prefix.size());
    int ordinal = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
    return error == std::errc() && end == digits.data() + digits.size() && ordinal >= 0 && ordinal < 1024 &&
           digits.front() != '-';
}

void checkDevice(const RunPlan &plan)
{
    const bool cpu = plan.device == "cpu";
    if (!cpu && !isCuda(plan.device))
        usage(fmt::format("'{}' is not a device; use 'cpu', or 'cuda:0' for the first GPU.", plan.device));
    if (cpu && plan.mode != DecodeMode::Eager)
        usage(fmt::format("Mode '{}' needs a GPU: on the CPU a step is issued eagerly. Use mode 'eager', or a device "
                          "such as 'cuda:0'.",
                          modeName(plan.mode)));
    // A line records a dtype that the device does not run as a row that was skipped.
    if (cpu && plan.dtype == DType::F16 && plan.experiment != Experiment::Line)
        usage("fp16 has no matrix products worth timing on the CPU. Use bf16 or fp32, or a device such as 'cuda:0'.");
    checkRange("The number of CPU threads", plan.threads, 0, kMaxThreads);
}

void checkPositions(const RunPlan &plan, std::int64_t prompt, std::int64_t generated, std::string_view generatedWhat)
{
    // Random weights have no text to spoil: rotary positions are computed for any index and a step costs the same, so
    // only a real checkpoint is held to the positions it was trained for.
    const std::int64_t limit = plan.model.shape.maxPositions;
    if (plan.model.folder.empty() || limit <= 0)
        return;
    if (prompt > limit - generated)
        usage(fmt::format("A prompt of {} tokens and {} {} reach position {}, beyond the {} positions of {}. Shorten "
                          "the prompt to at most {}, or generate fewer tokens.",
                          prompt, generated, generatedWhat, prompt + generated, limit,
                          plan.model.shape.id.empty() ? plan.model.shape.name : plan.model.shape.id,
                          std::max<std::int64_t>(limit - generated, 0)));
}

void checkGeneration(const RunPlan &plan)
{
    if (plan.newTokens < 2)
        usage(fmt::format("The number of new tokens (--new) is {}; give at least 2: the first token is TTFT, and "
                          "the time per output token needs a second.",
                          plan.newTokens));
    checkRange("The number of new tokens (--new)", plan.newTokens, 2, kMaxSteps);
    checkRange("The number of untimed repeats (--warmup)", plan.warmup, 0, kMaxRepeats);
    checkRange("The number of repeats (--repeats)", plan.repeats, 1, kMaxRepeats);
}

void checkLine(const RunPlan &plan)
{
    if (plan.models.empty())
        usage("The list of models is empty; name at least one (--models tinyllama-1.1b,qwen2.5-0.5b).");
    if (plan.models.size() > kMaxListed)
        usage(fmt::format("The list of models has {} entries; give at most {} (--models).", plan.models.size(),
                          kMaxListed));
    if (plan.dtypes.empty())
        usage("The list of dtypes is empty; give at least one of fp32, fp16, bf16 (--dtypes).");
    for (std::size_t i = 0; i < plan.dtypes.size(); ++i)
        if (std::find(plan.dtypes.begin(), plan.dtypes.begin() + std::ptrdiff_t(i), plan.dtypes[i]) !=
            plan.dtypes.begin() + std::ptrdiff_t(i))
            usage(fmt::format("The list of dtypes names {} twice; name each once (--dtypes).",
                              dtypeName(plan.dtypes[i])));
    for (std::size_t i = 0; i < plan.models.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (plan.models[i] == plan.models[j])
                usage(fmt::format("The list of models names {} twice; name each once (--models).",
                                  plan.models[i].shape.id));
    checkList("prompt lengths", "--prompt", plan.prompts, kMaxPrompt);
    if (!plan.promptText.empty())
        usage("A line over models takes no prompt as text: every model reads the same number of tokens (--prompt).");
    checkGeneration(plan);
    for (const ModelSource &model : plan.models) {
        countParameters(model.shape); // names what is wrong with the shape
        checkPositions(planOfLineRow(plan, model, plan.dtypes.front()), plan.prompts.front(), plan.newTokens,
                       "new tokens");
    }
}

} // namespace

RunPlan planOfLineRow(const RunPlan &plan, const ModelSource &model, DType dtype)
{
    RunPlan row = plan;
    row.models.clear();
    row.model = model;
    if (dtype != plan.dtype) {
        const auto rate = plan.nominalFlops.find(dtype);
        if (rate != plan.nominalFlops.end())
            row.nominal.flops = rate->second;
    }
    row.dtype = dtype;
    return row;
}

void validatePlan(const RunPlan &plan)
{
    checkDevice(plan);
    checkNumber("The nominal bandwidth", plan.nominal.bandwidth);
    checkNumber("The nominal arithmetic rate", plan.nominal.flops);
    checkNumber("The nominal overhead of a step", plan.nominal.overhead);
    checkNumber("The nominal memory", plan.nominal.memory);
    checkNumber("The memory limit", plan.memoryLimitBytes);
    for (const auto &[what, figure] : {std::pair{"The expected TPOT", plan.expectation.tpotSeconds},
                                       std::pair{"The expected ratio", plan.expectation.ratio},
                                       std::pair{"The batch expected to depart first", plan.expectation.firstDeparture}})
        if (figure && (!std::isfinite(*figure) || *figure <= 0))
            usage(fmt::format("{} is {}; give a number above zero, or leave it out.", what, *figure));
    if (plan.experiment == Experiment::Calibrate)
        return; // neither model nor lists are used
    if (plan.experiment == Experiment::Line) {
        checkLine(plan);
        return;
    }

    countParameters(plan.model.shape); // names what is wrong with the shape
    checkList("batches", "--batch", plan.batches, kMaxBatch);
    checkList("prompt lengths", "--prompt", plan.prompts, kMaxPrompt);
    if (!plan.promptText.empty() && plan.model.folder.empty())
        usage(fmt::format("A prompt given as text needs a checkpoint folder with a tokenizer; {} has random weights. "
                          "Name the folder with --model, or leave the text out.",
                          plan.model.shape.id));
    if (plan.promptText.size() > kMaxPromptText)
        usage(fmt::format("The prompt text has {} bytes; give at most {}.", plan.promptText.size(), kMaxPromptText));

    if (plan.experiment == Experiment::Sweep) {
        checkRange("The number of timed steps (--steps)", plan.steps, 1, kMaxSteps);
        checkRange("The number of untimed steps (--warmup)", plan.warmup, 0, kMaxSteps);
        for (const std::int64_t prompt : plan.prompts)
            checkPositions(plan, prompt, std::int64_t(plan.warmup) + plan.steps, "steps");
    } else if (plan.experiment == Experiment::Anatomy) {
        checkRange("The number of untraced steps (--steps)", plan.steps, 1, kMaxSteps);
        checkRange("The number of untimed steps (--warmup)", plan.warmup, 0, kMaxSteps);
        checkPositions(plan, plan.prompts.front(), 1, "step");
    } else {
        checkGeneration(plan);
        if (plan.methods.empty())
            usage("No method of measuring is chosen; give 1, 2, 3 or all (--method).");
        for (const TtftMethod method : plan.methods)
            checkRange("The method (--method)", static_cast<int>(method), 1, 3);
        checkPositions(plan, plan.prompts.front(), plan.newTokens, "new tokens");
    }
}

std::string newId()
{
    std::random_device device;
    std::array<unsigned char, 16> bytes{};
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        const std::uint32_t word = device();
        for (std::size_t j = 0; j < 4; ++j)
            bytes[i + j] = static_cast<unsigned char>(word >> (8 * j));
    }
    bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40); // version 4
    bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80); // RFC 4122 variant
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += fmt::format("{:02x}", bytes[i]);
    }
    return text;
}

} // namespace ridgepoint
