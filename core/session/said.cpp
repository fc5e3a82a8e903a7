// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/said.h"

#include "core/session/said_faults.h"
#include "core/session/said_report.h"

#include <algorithm>
#include <cctype>

namespace ridgepoint {

namespace {

// Figures and names are %1, %2, ... A test holds these against what the sources of the sentences say.
const char *const kPatterns[] = {
    // what a taken-apart step comes to (anatomy_tables.cpp, core/torch/anatomy_experiment.cpp, core/cuda)
    QT_TRANSLATE_NOOP("core", "A step without tracer takes %1 (median)."),
    QT_TRANSLATE_NOOP("core", "The traced step takes %1 from its first kernel to its last: %2 kernels, busy %3 (%4), gaps %5; %6 by the host's clock."),
    QT_TRANSLATE_NOOP("core", "It is %1 times the untraced one."),
    QT_TRANSLATE_NOOP("core", "Timed apart, the parts come to %1, %2 times the untraced step (by %3)."),
    QT_TRANSLATE_NOOP("core", "Timed apart, the parts come to %1 (by %2)."),
    QT_TRANSLATE_NOOP("core", "Traced by %1."),
    QT_TRANSLATE_NOOP("core", "The parts of the kernels are known from a step that was issued one operation at a time and marked; the trace holds the same kernels in the same order."),
    QT_TRANSLATE_NOOP("core", "The parts of the kernels are not known: the traced step holds %1 kernels, not those %2 that a marked step held in that order."),
    QT_TRANSLATE_NOOP("core", "%1 did not tie the kernels to the parts, so that all of them are under other."),
    QT_TRANSLATE_NOOP("core", "There is no trace: %1"),
    QT_TRANSLATE_NOOP("core", "%1 recorded nothing."),
    QT_TRANSLATE_NOOP("core", "On the CPU an operation is the decoder's own code between two marks, or an outermost operation of libtorch on the thread that issues the step; operations inside it are not listed."),
    QT_TRANSLATE_NOOP("core", "device events around each part of steps that are issued one operation at a time, each step queued behind a delay so that the device does not wait for the host"),
    QT_TRANSLATE_NOOP("core", "%1; the step is one kernel, whose time is divided as one of its blocks found it by its clock"),
    QT_TRANSLATE_NOOP("core", "%1; in %2 of %3 steps the device had begun before all was queued"),
    QT_TRANSLATE_NOOP("core", "wall clock at the parts, libtorch's RecordFunction"),
    QT_TRANSLATE_NOOP("core", "wall clock at the beginning of each part"),
    QT_TRANSLATE_NOOP("core", "The step is one kernel: its parts are those that one of its blocks found by its clock."),
    // the parts of a step and the sum of their table
    QT_TRANSLATE_NOOP("core", "embed"),
    QT_TRANSLATE_NOOP("core", "norms"),
    QT_TRANSLATE_NOOP("core", "rope"),
    QT_TRANSLATE_NOOP("core", "head"),
    QT_TRANSLATE_NOOP("core", "attention"),
    QT_TRANSLATE_NOOP("core", "activation"),
    QT_TRANSLATE_NOOP("core", "pick"),
    QT_TRANSLATE_NOOP("core", "other"),
    QT_TRANSLATE_NOOP("core", "sum"),
    // a line over models (line.cpp, core/analytic/line_fit.cpp)
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights + %2; R^2 %3, %4 rows; the slope implies reading at %5."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights - %2; R^2 %3, %4 rows; the slope implies reading at %5."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights + %2, %3 rows; the slope implies reading at %4."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights - %2, %3 rows; the slope implies reading at %4."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights + %2; R^2 %3, %4 rows; the slope is not above zero and implies no bandwidth."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights - %2; R^2 %3, %4 rows; the slope is not above zero and implies no bandwidth."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights + %2, %3 rows; the slope is not above zero and implies no bandwidth."),
    QT_TRANSLATE_NOOP("core", "TPOT = %1 x weights - %2, %3 rows; the slope is not above zero and implies no bandwidth."),
    QT_TRANSLATE_NOOP("core", "In brackets: 95 % intervals."),
    QT_TRANSLATE_NOOP("core", "The fixed cost comes out below zero, which no time is: the rows do not lie on one line."),
    QT_TRANSLATE_NOOP("core", "By the line, reading weights takes from %1 to %2 of a step."),
    QT_TRANSLATE_NOOP("core", "The line over all rows implies %1, above %2."),
    QT_TRANSLATE_NOOP("core", "The line over all rows implies %1, above %2, and so does its whole 95 % interval."),
    QT_TRANSLATE_NOOP("core", "The line of the family %1 (%2) implies %3, above %4."),
    QT_TRANSLATE_NOOP("core", "The line of the family %1 (%2) implies %3, above %4, and so does its whole 95 % interval."),
    QT_TRANSLATE_NOOP("core", "The line of %1 (%2) implies %3, above %4."),
    QT_TRANSLATE_NOOP("core", "The line of %1 (%2) implies %3, above %4, and so does its whole 95 % interval."),
    QT_TRANSLATE_NOOP("core", "Memory is not read that fast: the fixed cost is not the same in these rows, or some of the weights come from a cache."),
    QT_TRANSLATE_NOOP("core", "the %1 that was measured"),
    QT_TRANSLATE_NOOP("core", "the %1 that was measured (nominal: %2)"),
    QT_TRANSLATE_NOOP("core", "the device's nominal %1"),
    QT_TRANSLATE_NOOP("core", "%1 row"),
    QT_TRANSLATE_NOOP("core", "%1 rows"),
    QT_TRANSLATE_NOOP("core", "%1 to without limit"),
    QT_TRANSLATE_NOOP("core", "%1 to %2"),
    QT_TRANSLATE_NOOP("core", "%1 (%2)"),
    QT_TRANSLATE_NOOP("core", "No ceiling of the device is known, so that the implied bandwidths stand against nothing: name its profile (--hardware) or its bandwidth (--bandwidth)."),
    QT_TRANSLATE_NOOP("core", "May be read from the cache (weights below %1 x the last-level cache of %2): %3."),
    QT_TRANSLATE_NOOP("core", "Not identifiable: there is no measured row."),
    QT_TRANSLATE_NOOP("core", "Not identifiable: one row gives no line; measure a second weight."),
    QT_TRANSLATE_NOOP("core", "Not identifiable: every row has the same weight bytes; measure another model or dtype."),
    QT_TRANSLATE_NOOP("core", "Two rows give a line and no interval: its error is not identifiable; measure a third weight."),
    QT_TRANSLATE_NOOP("core", "imported"),
    QT_TRANSLATE_NOOP("core", "%1; may be read from the cache"),
    // the formulas of a point (explain.cpp)
    QT_TRANSLATE_NOOP("core", "W + b n kv + b kv"),
    QT_TRANSLATE_NOOP("core", "2 N b + attention over the window"),
    QT_TRANSLATE_NOOP("core", "2 N b + 4 b n heads head_dim layers"),
    QT_TRANSLATE_NOOP("core", "FLOP / bytes"),
    QT_TRANSLATE_NOOP("core", "AI against ridge"),
    QT_TRANSLATE_NOOP("core", "memory-bound"),
    QT_TRANSLATE_NOOP("core", "compute-bound"),
    QT_TRANSLATE_NOOP("core", "bytes / B"),
    QT_TRANSLATE_NOOP("core", "max(bytes / B, FLOP / P)"),
    QT_TRANSLATE_NOOP("core", "floor + overhead"),
    QT_TRANSLATE_NOOP("core", "t / floor"),
    QT_TRANSLATE_NOOP("core", "t / prediction"),
    QT_TRANSLATE_NOOP("core", "t B - W, held against %1"),
    QT_TRANSLATE_NOOP("core", "%1 against %2"),
    QT_TRANSLATE_NOOP("core", "FLOP a sequence / KV bytes a sequence"),
    QT_TRANSLATE_NOOP("core", "no KV cache is read"),
    QT_TRANSLATE_NOOP("core", "without bound"),
    QT_TRANSLATE_NOOP("core", "ridge W / (FLOP a sequence - ridge KV bytes a sequence)"),
    QT_TRANSLATE_NOOP("core", "ridge W / (2 N - ridge n kv)"),
    QT_TRANSLATE_NOOP("core", "never: AI_max %1 < ridge %2"),
    QT_TRANSLATE_NOOP("core", "floor((memory - W_total) / (n kv))"),
    QT_TRANSLATE_NOOP("core", "the device's memory is not known"),
    QT_TRANSLATE_NOOP("core", "%1 sequences"),
    QT_TRANSLATE_NOOP("core", "not known"),
    // what the ratio of a step to its floor says (core/analytic/decode_model.cpp)
    QT_TRANSLATE_NOOP("core", "Impossible: a step cannot be faster than its floor. Look for the fault: a missing synchronise, weights that stay in the cache, the wrong card or the wrong dtype."),
    QT_TRANSLATE_NOOP("core", "Nearly at the bandwidth: the step does little else than read weights. Only fewer bytes or more bandwidth make it faster."),
    QT_TRANSLATE_NOOP("core", "Memory-bound holds: a third of the step or more is what memory takes at its best. Look at the kernels and the launches for the rest."),
    QT_TRANSLATE_NOOP("core", "A clear part of the time moves no weights. The device may be waiting for launches: look at the gaps between kernels before calling the bandwidth unused."),
    QT_TRANSLATE_NOOP("core", "Overhead rules: the step is mostly fixed cost. A faster device would hardly help; fewer launches, a graph or a larger batch would."),
    // TTFT and TPOT (tables.cpp, results.cpp)
    QT_TRANSLATE_NOOP("core", "Device"),
    QT_TRANSLATE_NOOP("core", "%1 threads"),
    QT_TRANSLATE_NOOP("core", "Model and dtype"),
    QT_TRANSLATE_NOOP("core", "random weights of this shape"),
    QT_TRANSLATE_NOOP("core", "weights of a checkpoint"),
    QT_TRANSLATE_NOOP("core", "Prompt tokens"),
    QT_TRANSLATE_NOOP("core", "Batch"),
    QT_TRANSLATE_NOOP("core", "New tokens N"),
    QT_TRANSLATE_NOOP("core", "TTFT, method %1"),
    QT_TRANSLATE_NOOP("core", "TPOT, method %1"),
    QT_TRANSLATE_NOOP("core", "%1; median of %2"),
    QT_TRANSLATE_NOOP("core", "two generations subtracted"),
    QT_TRANSLATE_NOOP("core", "each token as it reaches the reader"),
    QT_TRANSLATE_NOOP("core", "a loop with every step timed"),
    QT_TRANSLATE_NOOP("core", "TPOT least, method %1"),
    QT_TRANSLATE_NOOP("core", "TPOT greatest, method %1"),
    QT_TRANSLATE_NOOP("core", "TTFT floor"),
    QT_TRANSLATE_NOOP("core", "memory-bound at %1, nominal ceilings"),
    QT_TRANSLATE_NOOP("core", "compute-bound at %1, nominal ceilings"),
    QT_TRANSLATE_NOOP("core", "TTFT forecast"),
    QT_TRANSLATE_NOOP("core", "products and attention of these sizes, timed before the run"),
    QT_TRANSLATE_NOOP("core", "TPOT floor"),
    QT_TRANSLATE_NOOP("core", "memory-bound, %1 a step, nominal ceilings"),
    QT_TRANSLATE_NOOP("core", "compute-bound, %1 a step, nominal ceilings"),
    QT_TRANSLATE_NOOP("core", "TPOT floor at measured ceilings"),
    QT_TRANSLATE_NOOP("core", "not measured"),
    QT_TRANSLATE_NOOP("core", "TPOT predicted"),
    QT_TRANSLATE_NOOP("core", "from what calibration timed before the run"),
    QT_TRANSLATE_NOOP("core", "Ratio TPOT / floor"),
    QT_TRANSLATE_NOOP("core", "Ratio TPOT / floor at measured ceilings"),
    QT_TRANSLATE_NOOP("core", "Measured / predicted"),
    QT_TRANSLATE_NOOP("core", "0.9 to 1.3: the model holds"),
    QT_TRANSLATE_NOOP("core", "Tokens a second"),
    QT_TRANSLATE_NOOP("core", "the ceiling is %1"),
    QT_TRANSLATE_NOOP("core", "2 to 5 is expected"),
    QT_TRANSLATE_NOOP("core", "TTFT / TPOT"),
    QT_TRANSLATE_NOOP("core", "Peak memory"),
    QT_TRANSLATE_NOOP("core", "Cross-check"),
    QT_TRANSLATE_NOOP("core", "Only one method gave a TPOT: nothing to check it against."),
    QT_TRANSLATE_NOOP("core", "No method gave a TPOT: nothing to check."),
    QT_TRANSLATE_NOOP("core", "%1 methods agree on the TPOT within %2 (20 % is normal)."),
    QT_TRANSLATE_NOOP("core", "Method %1 gives a TPOT of %2, method %3 one of %4: %5 apart, more than the 20 % that are normal."),
    QT_TRANSLATE_NOOP("core", "Repeat with more repeats and an idle machine."),
    QT_TRANSLATE_NOOP("core", "Method %1 gives a TPOT of %2, method %3 one of %4: %5 apart, a factor of two or more: one of them is wrong."),
    QT_TRANSLATE_NOOP("core", "Check that every timed step waits for the device, that warm-up repeats ran before the first timed one, that the generations did not end early at an end-of-text token, and that no other program used the device."),
    // a calibration's samples (tables.cpp, core/torch/calibrate.cpp)
    QT_TRANSLATE_NOOP("core", "read"),
    QT_TRANSLATE_NOOP("core", "copy"),
    QT_TRANSLATE_NOOP("core", "read of %1, best: %2"),
    QT_TRANSLATE_NOOP("core", "read of %1, %2"),
    QT_TRANSLATE_NOOP("core", "copy of %1"),
    QT_TRANSLATE_NOOP("core", "%1 threads x %2 blocks a multiprocessor"),
    QT_TRANSLATE_NOOP("core", "%1 loads side by side"),
    QT_TRANSLATE_NOOP("core", "%1 loads"),
    QT_TRANSLATE_NOOP("core", "matmul %1, sustained"),
    QT_TRANSLATE_NOOP("core", "matmul %1"),
    QT_TRANSLATE_NOOP("core", "decode product %1"),
    QT_TRANSLATE_NOOP("core", "one operation"),
    QT_TRANSLATE_NOOP("core", "empty kernel, launched"),
    QT_TRANSLATE_NOOP("core", "empty kernel, node of a graph"),
    QT_TRANSLATE_NOOP("core", "step overhead"),
    QT_TRANSLATE_NOOP("core", "step overhead, graph"),
    QT_TRANSLATE_NOOP("core", "graph step overhead"),
    QT_TRANSLATE_NOOP("core", "graph node overhead"),
    QT_TRANSLATE_NOOP("core", "an empty kernel in a graph"),
    QT_TRANSLATE_NOOP("core", "%1, %2 layers, replayed"),
    QT_TRANSLATE_NOOP("core", "bytes read + bytes written"),
    QT_TRANSLATE_NOOP("core", "bytes read"),
    QT_TRANSLATE_NOOP("core", "2 m n k a product"),
    QT_TRANSLATE_NOOP("core", "median time"),
    // how a point's step was made (core/torch, core/cuda)
    QT_TRANSLATE_NOOP("core", "products: %1; decode: %2; prefill: %3"),
    QT_TRANSLATE_NOOP("core", "decode: %1; prefill: %2"),
    QT_TRANSLATE_NOOP("core", "%1 (tried: %2)"),
    QT_TRANSLATE_NOOP("core", "own split-context kernel on tensor cores, K and V read once a group"),
    QT_TRANSLATE_NOOP("core", "own split-context kernel, K and V read once a group"),
    QT_TRANSLATE_NOOP("core", "own context-by-context kernel on tensor cores, K and V read once a group"),
    QT_TRANSLATE_NOOP("core", "own kernel, K and V read once a group of heads"),
    QT_TRANSLATE_NOOP("core", "libtorch's fused attention"),
    QT_TRANSLATE_NOOP("core", "matrix products of libtorch"),
    QT_TRANSLATE_NOOP("core", "one kernel"),
    QT_TRANSLATE_NOOP("core", "own with norm early"),
    QT_TRANSLATE_NOOP("core", "own with norm"),
    QT_TRANSLATE_NOOP("core", "own early"),
    QT_TRANSLATE_NOOP("core", "own"),
    QT_TRANSLATE_NOOP("core", "one kernel %1 ms"),
    QT_TRANSLATE_NOOP("core", "own with norm early %1 ms"),
    QT_TRANSLATE_NOOP("core", "own with norm %1 ms"),
    QT_TRANSLATE_NOOP("core", "own early %1 ms"),
    QT_TRANSLATE_NOOP("core", "own %1 ms"),
    // why a point has no result (core/torch, import.cpp)
    QT_TRANSLATE_NOOP("core", "weights %1 + KV %2 = %3 + workspace %4 = %5 > %6, what %7 has free."),
    QT_TRANSLATE_NOOP("core", "weights %1 + KV %2 = %3 + workspace %4 = %5 > %6, the memory limit of the run."),
    QT_TRANSLATE_NOOP("core", "Allocating the KV cache ran out of memory (%1); choose a smaller batch, context or model, or close what else uses the GPU (nvidia-smi lists it)."),
    QT_TRANSLATE_NOOP("core", "%1 ran out of memory (%2); choose a smaller batch, context or model, or close what else uses the GPU (nvidia-smi lists it)."),
    QT_TRANSLATE_NOOP("core", "The device ran out of memory (%1): choose a smaller batch, prompt or model."),
    QT_TRANSLATE_NOOP("core", "The imported file says that the device's memory did not suffice."),
    QT_TRANSLATE_NOOP("core", "ok"),
    QT_TRANSLATE_NOOP("core", "oom"),
    QT_TRANSLATE_NOOP("core", "skipped"),
    QT_TRANSLATE_NOOP("core", "failed"),
    QT_TRANSLATE_NOOP("core", "oom: %1"),
    QT_TRANSLATE_NOOP("core", "skipped: %1"),
    QT_TRANSLATE_NOOP("core", "failed: %1"),
    // why a clock was lowered (core/cuda/nvml.cpp)
    QT_TRANSLATE_NOOP("core", "power cap"),
    QT_TRANSLATE_NOOP("core", "thermal"),
    QT_TRANSLATE_NOOP("core", "hardware slowdown"),
    QT_TRANSLATE_NOOP("core", "power brake"),
    QT_TRANSLATE_NOOP("core", "sync boost"),
    QT_TRANSLATE_NOOP("core", "applications clocks"),
    QT_TRANSLATE_NOOP("core", "display clocks"),
    // what a run is at (core/torch)
    QT_TRANSLATE_NOOP("core", "Sweep: done"),
    QT_TRANSLATE_NOOP("core", "Sweep: batch %1 of %2, prompt %3, %4"),
    QT_TRANSLATE_NOOP("core", "Sweep: %1, %2 %"),
    QT_TRANSLATE_NOOP("core", "prompt of %1 tokens"),
    QT_TRANSLATE_NOOP("core", "untimed step %1 of %2"),
    QT_TRANSLATE_NOOP("core", "step %1 of %2"),
    QT_TRANSLATE_NOOP("core", "back to back"),
    QT_TRANSLATE_NOOP("core", "random weights"),
    QT_TRANSLATE_NOOP("core", "weights of %1"),
    QT_TRANSLATE_NOOP("core", "weights, %1 %"),
    QT_TRANSLATE_NOOP("core", "prompt"),
    QT_TRANSLATE_NOOP("core", "parts, step %1 of %2"),
    QT_TRANSLATE_NOOP("core", "trace"),
    QT_TRANSLATE_NOOP("core", "done"),
    QT_TRANSLATE_NOOP("core", "Anatomy: batch %1, context %2, %3"),
    QT_TRANSLATE_NOOP("core", "Calibration: %1"),
    QT_TRANSLATE_NOOP("core", "Line over models: %1 (%2 of %3), %4"),
    QT_TRANSLATE_NOOP("core", "generation %1 of %2"),
    QT_TRANSLATE_NOOP("core", "untimed generation %1 of %2"),
    QT_TRANSLATE_NOOP("core", "method %1, generation %2 of %3"),
    QT_TRANSLATE_NOOP("core", "method %1, untimed generation %2 of %3"),
    QT_TRANSLATE_NOOP("core", "read bandwidth"),
    QT_TRANSLATE_NOOP("core", "copy bandwidth"),
    QT_TRANSLATE_NOOP("core", "one trivial operation"),
    QT_TRANSLATE_NOOP("core", "one empty kernel"),
    QT_TRANSLATE_NOOP("core", "fixed cost of a step"),
    QT_TRANSLATE_NOOP("core", "fixed cost of a step in a graph"),
    QT_TRANSLATE_NOOP("core", "the host's way of issuing steps"),
    QT_TRANSLATE_NOOP("core", "steps of batch %1 at context %2"),
    QT_TRANSLATE_NOOP("core", "prefill of %1 x %2 tokens"),
    // faults that the window meets most
    QT_TRANSLATE_NOOP("core", "Could not read \"%1\": %2. Check the path and its permissions."),
    QT_TRANSLATE_NOOP("core", "Could not write \"%1\": %2. %3"),
    QT_TRANSLATE_NOOP("core", "No such file or directory"),
    QT_TRANSLATE_NOOP("core", "Permission denied"),
    QT_TRANSLATE_NOOP("core", "Is a directory"),
    QT_TRANSLATE_NOOP("core", "No space left on device"),
    QT_TRANSLATE_NOOP("core", "Read-only file system"),
    QT_TRANSLATE_NOOP("core", "Not a directory"),
    QT_TRANSLATE_NOOP("core", "Free some space or choose another folder."),
    QT_TRANSLATE_NOOP("core", "Choose a folder you may write to, or change its permissions."),
    QT_TRANSLATE_NOOP("core", "The file system is read-only; choose another folder."),
    QT_TRANSLATE_NOOP("core", "A folder of that name is in the way; choose another file name."),
    QT_TRANSLATE_NOOP("core", "A part of the path is a file, not a folder; choose another folder."),
    QT_TRANSLATE_NOOP("core", "Choose a shorter name."),
    QT_TRANSLATE_NOOP("core", "Choose another path or check the disk."),
    QT_TRANSLATE_NOOP("core", "%1 is not JSON: the fault is at byte %2 of %3. Use an undamaged copy."),
    QT_TRANSLATE_NOOP("core", "%1 ends in the middle, after %2 bytes: it was cut off. Use a complete copy."),
    QT_TRANSLATE_NOOP("core", "%1 holds a number that is too large to read. Use an undamaged copy."),
    QT_TRANSLATE_NOOP("core", "%1 cannot be used: %2. It is damaged or was edited; use an undamaged copy."),
    QT_TRANSLATE_NOOP("core", "the field '%1' %2"),
    QT_TRANSLATE_NOOP("core", "the file %1"),
    QT_TRANSLATE_NOOP("core", "is missing"),
    QT_TRANSLATE_NOOP("core", "does not say 'ridgepoint-session'"),
    QT_TRANSLATE_NOOP("core", "%1 has version %2: it was written by a newer Ridgepoint than this one, which reads up to version %3. Update Ridgepoint to open it."),
    QT_TRANSLATE_NOOP("core", "%1 is %2; give a number from %3 to %4."),
    QT_TRANSLATE_NOOP("core", "The run was on '%1', but it was predicted with the datasheet of %2: the nominal floor, the ridge and the capacity are those of another device. Choose the profile %3 (--hardware %4) and run again."),
    QT_TRANSLATE_NOOP("core", "The run was on '%1' and predicted with the datasheet of %2, neither of which this catalogue knows: whether they are the same device cannot be told. Add the profile to the catalogue."),
    QT_TRANSLATE_NOOP("core", "The run was on '%1', which the catalogue does not know by that name, but it was predicted with the datasheet of %2: the nominal floor, the ridge and the capacity may be those of another device. Add the name to that profile's aliases if it is the same, else choose another profile."),
    // titles (session_title.cpp) and what a lesson's figure was worked out from
    QT_TRANSLATE_NOOP("core", "%1 on %2: several experiments, %3"),
    QT_TRANSLATE_NOOP("core", "%1 on %2: batch sweep, %3"),
    QT_TRANSLATE_NOOP("core", "%1 on %2: TTFT and TPOT, %3"),
    QT_TRANSLATE_NOOP("core", "%1 on %2: line over models, %3"),
    QT_TRANSLATE_NOOP("core", "%1 on %2: anatomy of a step, %3"),
    QT_TRANSLATE_NOOP("core", "%1 models"),
    QT_TRANSLATE_NOOP("core", "exact"),
    QT_TRANSLATE_NOOP("core", "textbook"),
    // what a comparison says (compare.cpp)
    QT_TRANSLATE_NOOP("core", "Slower or faster: Mann-Whitney U below %1 % and medians that differ by %2 % or more."),
    QT_TRANSLATE_NOOP("core", "The contexts differ (%1 and %2 tokens): these are not the same step."),
    QT_TRANSLATE_NOOP("core", "The medians differ by %1, less than %2."),
    QT_TRANSLATE_NOOP("core", "The medians differ by %1, p = %2."),
    QT_TRANSLATE_NOOP("core", "The medians differ by %1, but the samples do not bear it out (p = %2)."),
    QT_TRANSLATE_NOOP("core", "Too few samples to test; the figures differ by %1, beyond the spread that is given."),
    QT_TRANSLATE_NOOP("core", "Too few samples to test (%1 and %2); the figures differ by %3, not beyond the spread that is given."),
    QT_TRANSLATE_NOOP("core", "Too few samples to test (%1 and %2); the figures differ by %3 and no spread is given."),
    QT_TRANSLATE_NOOP("core", "On different devices: %1, %2."),
    // rows of an imported table (import.cpp, import_readers.cpp)
    QT_TRANSLATE_NOOP("core", "'%1' is not a number; the row was left out."),
    QT_TRANSLATE_NOOP("core", "'%1' is not a number (write a point before the decimals, not a comma); the row was left out."),
    QT_TRANSLATE_NOOP("core", "%1 fields where the header names %2; the row was left out."),
    QT_TRANSLATE_NOOP("core", "'%1' is a count with three decimals: write thousands without a point; the row was left out."),
    QT_TRANSLATE_NOOP("core", "%1 fields where the header names %2 (a comma before decimals looks like a further field: write a point); the row was left out."),
    QT_TRANSLATE_NOOP("core", "the batch is missing or no number; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the prompt is missing or no number; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the context is missing or no number; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the time of a step in seconds is missing or no number; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the batch is %1, outside whole numbers; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the batch is %1, outside 1 to 1,000,000; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the prompt is %1, outside 0 to 100,000,000 tokens; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the context is %1, outside what is above zero, up to 100,000,000 tokens; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the time of a step in seconds is %1, outside what is above zero, up to a day; the row was left out."),
    QT_TRANSLATE_NOOP("core", "the peak memory in bytes is %1, outside what a device can have; the row was left out."),
    QT_TRANSLATE_NOOP("core", "its tokens per second are not above zero; the row was left out."),
    QT_TRANSLATE_NOOP("core", "its status is '%1', so that it has no time; the row was left out."),
    // the engine and its devices
    QT_TRANSLATE_NOOP("core", "%1 (imported)"),
    QT_TRANSLATE_NOOP("core", "unknown device (imported)"),
    QT_TRANSLATE_NOOP("core", "%1 (CPU), %2"),
    QT_TRANSLATE_NOOP("core", "%1 (CUDA %2), %3"),
    QT_TRANSLATE_NOOP("core", "The recorded run failed here: %1"),
    QT_TRANSLATE_NOOP("core", "The engine module %1 was not found (looked for %2). Prediction, import and reports work without it; to measure, install libtorch (Debian: libtorch-dev and libopenblas0-pthread) and build with RIDGEPOINT_ENGINE=ON, or set the environment variable RIDGEPOINT_ENGINE to the module's path."),
    QT_TRANSLATE_NOOP("core", "The engine module %1 could not be loaded: %2. If a library is missing there, install it (libtorch: Debian's libtorch-dev) or put its folder into LD_LIBRARY_PATH; otherwise build the engine again on this machine."),
};

/// How much of a pattern is words: what is more of them is the closer description.
std::size_t wordsOf(const std::string &pattern)
{
    return pattern.size() - 2 * static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '%'));
}

/// False for what any text might be of: hardly a letter beside the arguments.
bool hasWords(const std::string &pattern)
{
    constexpr std::ptrdiff_t kFewest = 3;
    return pattern.find('%') == std::string::npos ||
           std::count_if(pattern.begin(), pattern.end(), [](unsigned char c) { return std::isalpha(c) != 0; }) >= kFewest;
}

/// A number or a quoted name: what the patterns without words are for.
bool isFigure(const std::string &text)
{
    return !text.empty() && (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-' || text.front() == '\'');
}

/// Ends of the sentences in `text`: behind a full stop that a space and a new beginning follow, and its end. One within brackets is no end:
/// what another library said stands there.
std::vector<std::size_t> endsOf(std::string_view text)
{
    std::vector<std::size_t> ends;
    const bool paired = std::count(text.begin(), text.end(), '(') == std::count(text.begin(), text.end(), ')');
    int within = 0;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const char next = text[i + 2];
        within += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == '.' && text[i + 1] == ' ' && (next < 'a' || next > 'z') && !(paired && within > 0))
            ends.push_back(i + 1);
    }
    ends.push_back(text.size());
    return ends;
}

} // namespace

const std::vector<std::string> &saidPatterns()
{
    static const std::vector<std::string> patterns = [] {
        std::vector<std::string> all(std::begin(kPatterns), std::end(kPatterns));
        all.insert(all.end(), faultPatterns().begin(), faultPatterns().end());
        all.insert(all.end(), reportPatterns().begin(), reportPatterns().end());
        std::stable_sort(all.begin(), all.end(),
                         [](const std::string &a, const std::string &b) { return wordsOf(a) > wordsOf(b); });
        return all;
    }();
    return patterns;
}

std::vector<Message> said(std::string_view text, bool inner)
{
    std::vector<Message> messages;
    const auto ofPattern = [inner](std::string_view part) -> std::optional<Message> {
        for (const std::string &pattern : saidPatterns()) {
            if (!inner && !hasWords(pattern))
                continue;
            std::optional<Message> message = takenApart(part, pattern);
            // A few words behind an argument are a cell or a part of a list, not a whole list.
            constexpr std::size_t kFewWords = 24;
            if (message && pattern.rfind("%1", 0) == 0 && wordsOf(pattern) < kFewWords &&
                message->arguments.front().find(", ") != std::string::npos)
                continue;
            if (message && (hasWords(pattern) || isFigure(message->arguments.front())))
                return message;
        }
        return std::nullopt;
    };
    constexpr std::size_t kLongest = 4000; // a text of others' making
    if (text.size() > kLongest)
        return {Message{std::string(text), {}}};
    std::string unknown;
    const auto keep = [&] {
        if (!unknown.empty())
            messages.push_back({unknown, {}});
        unknown.clear();
    };
    const std::vector<std::size_t> ends = endsOf(text);
    std::size_t from = 0;
    for (std::size_t i = 0; i < ends.size();) {
        // Some patterns are several sentences: the shortest stretch that is one of them.
        std::optional<Message> found;
        std::size_t last = i;
        while (!(found = ofPattern(text.substr(from, ends[last] - from))) && last + 1 < ends.size())
            ++last;
        if (found) {
            keep();
            messages.push_back(std::move(*found));
        } else {
            unknown += (unknown.empty() ? "" : " ") + std::string(text.substr(from, ends[i] - from));
            last = i;
        }
        from = std::min(text.size(), ends[last] + 1);
        i = last + 1;
    }
    keep();
    return messages;
}

} // namespace ridgepoint
