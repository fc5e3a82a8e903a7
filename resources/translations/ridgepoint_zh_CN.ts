<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>Prompts</name>
    <message>
        <source>“%1” has results that are not saved.</source>
        <translation>“%1”中有尚未保存的结果。</translation>
    </message>
    <message>
        <source>Discarded results cannot be brought back.</source>
        <translation>放弃的结果无法找回。</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>丢弃(&amp;D)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>“%1” was changed by another program since it was read.</source>
        <translation>“%1”在读取之后被其他程序改动过。</translation>
    </message>
    <message>
        <source>Replacing it loses what was written there in the meantime.</source>
        <translation>替换它会丢失其间写入的内容。</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>none: more of it came with less time (%1), so something else varied along with it; add points over more batches and contexts</source>
        <translation>无：该项越多用时反而越短（%1），说明另有因素随之变化；请增加更多 batch 和上下文的点</translation>
    </message>
    <message>
        <source>none: its time, %1, cannot be told from zero within ± %2; add points that differ more in it</source>
        <translation>无：其用时 %1 在 ± %2 内无法与零区分；请增加该项差异更大的点</translation>
    </message>
    <message>
        <source>none: it comes out at %1 (%2 to %3); a cost below zero says that the steps do not follow these terms alone</source>
        <translation>无：结果为 %1（%2 至 %3）；开销小于零说明各步并不只由这些项决定</translation>
    </message>
    <message>
        <source>not identifiable: no step was measured</source>
        <translation>无法辨识：没有测量任何步</translation>
    </message>
    <message>
        <source>not identifiable: %1 points are too few for one more term; add batches or contexts</source>
        <translation>无法辨识：%1 个点不足以再拟合一项；请增加 batch 或上下文</translation>
    </message>
    <message>
        <source>not identifiable: %1 points give no interval for %2 terms; measure more batches and contexts</source>
        <translation>无法辨识：%1 个点无法给出 %2 项的区间；请测量更多 batch 和上下文</translation>
    </message>
    <message>
        <source>not identifiable: the weights are the same in every point; add another model or dtype</source>
        <translation>无法辨识：每个点的权重都相同；请增加另一个模型或数据类型</translation>
    </message>
    <message>
        <source>not identifiable: it changes only together with the others; vary batch, context and model apart from one another</source>
        <translation>无法辨识：该项只与其他项一同变化；请分别改变 batch、上下文和模型</translation>
    </message>
    <message>
        <source>not identifiable: the KV bytes are the same in every point as well; vary batch or context</source>
        <translation>无法辨识：每个点的 KV 字节数也相同；请改变 batch 或上下文</translation>
    </message>
    <message>
        <source>not identifiable: no point reads weights</source>
        <translation>无法辨识：没有读取权重的点</translation>
    </message>
    <message>
        <source>told apart above: the weights differ from point to point</source>
        <translation>已在上面分开：各点的权重不同</translation>
    </message>
    <message>
        <source>not identifiable: KV bytes and FLOP both grow with the batch alone; vary the context too</source>
        <translation>无法辨识：KV 字节数和 FLOP 都只随 batch 增长；请同时改变上下文</translation>
    </message>
    <message>
        <source>not identifiable: no point reads a KV cache</source>
        <translation>无法辨识：没有读取 KV cache 的点</translation>
    </message>
    <message>
        <source>not identifiable: the KV bytes are the same in every point; vary batch or context</source>
        <translation>无法辨识：每个点的 KV 字节数都相同；请改变 batch 或上下文</translation>
    </message>
    <message>
        <source>not identifiable: no FLOP was counted</source>
        <translation>无法辨识：没有计入 FLOP</translation>
    </message>
    <message>
        <source>Cannot tell: the point has no step time.</source>
        <translation>无法判断：该点没有步时。</translation>
    </message>
    <message>
        <source>Measure the point again, with a smaller batch or prompt where memory was short.</source>
        <translation>请重新测量该点；若内存不足，请减小 batch 或 prompt。</translation>
    </message>
    <message>
        <source>Cannot tell: no ceilings are known that the step could be held against.</source>
        <translation>无法判断：没有可用来对照该步的上限。</translation>
    </message>
    <message>
        <source>Calibrate the device, or choose its profile from the catalogue.</source>
        <translation>请校准设备，或从目录中选择其规格。</translation>
    </message>
    <message>
        <source>The step of %1 takes %2 times its floor of %3 at the measured ceilings.</source>
        <translation>该步用时 %1，是实测上限下其下限 %3 的 %2 倍。</translation>
    </message>
    <message>
        <source>The step of %1 takes %2 times its floor of %3 at the datasheet&apos;s ceilings; nothing was calibrated.</source>
        <translation>该步用时 %1，是规格上限下其下限 %3 的 %2 倍；未做校准。</translation>
    </message>
    <message>
        <source>A ratio under 1 is impossible: something in the measurement or the ceilings is wrong.</source>
        <translation>比值小于 1 是不可能的：测量或上限有误。</translation>
    </message>
    <message>
        <source>1.0 to 1.5: nearly at the bandwidth.</source>
        <translation>1.0 至 1.5：几乎达到带宽。</translation>
    </message>
    <message>
        <source>1.0 to 1.5: nearly at the arithmetic rate.</source>
        <translation>1.0 至 1.5：几乎达到计算速率。</translation>
    </message>
    <message>
        <source>1.5 to 3: memory-bound holds, a third of the step or more.</source>
        <translation>1.5 至 3：受内存限制成立，占该步三分之一或更多。</translation>
    </message>
    <message>
        <source>1.5 to 3: the floor, here arithmetic, is a third of the step or more.</source>
        <translation>1.5 至 3：下限（此处为计算）占该步三分之一或更多。</translation>
    </message>
    <message>
        <source>3 to 6: a clear part of the time goes elsewhere than into the floor.</source>
        <translation>3 至 6：相当一部分时间花在下限之外。</translation>
    </message>
    <message>
        <source>Over 6: by the ratio alone overhead rules.</source>
        <translation>超过 6：仅从比值看，开销占主导。</translation>
    </message>
    <message>
        <source>Its steps lie within %1 of the median from p10 to p90.</source>
        <translation>其各步从 p10 到 p90 的宽度为中位数的 %1。</translation>
    </message>
    <message>
        <source>Its bytes, %1, would take %2 at %3: %4 of the step. Over the whole step, idle time included, it read at %5.</source>
        <translation>其字节 %1 以 %3 需 %2：占该步的 %4。按整步（含空闲）计，读取速率为 %5。</translation>
    </message>
    <message>
        <source>Its arithmetic, %1, would take %2 at %3: %4 of the step. It achieved %5.</source>
        <translation>其计算量 %1 以 %3 需 %2：占该步的 %4。实际达到 %5。</translation>
    </message>
    <message>
        <source>Its intensity of %1 lies below the ridge of %2: the bytes take longer than the arithmetic.</source>
        <translation>其强度 %1 低于拐点 %2：访存比计算用时更长。</translation>
    </message>
    <message>
        <source>Its intensity of %1 lies above the ridge of %2: the arithmetic takes longer than the bytes.</source>
        <translation>其强度 %1 高于拐点 %2：计算比访存用时更长。</translation>
    </message>
    <message>
        <source>Its weights of %1 may partly be read from the last-level cache of %2, which is faster than memory.</source>
        <translation>其权重 %1 可能部分读自 %2 的末级缓存，快于内存。</translation>
    </message>
    <message>
        <source>The anatomy of such a step shows a kernel running for %1 of %2; for %3 of the step the device had nothing to do.</source>
        <translation>此类步的解剖显示 %2 中有 %1 在运行内核；该步的 %3 设备无事可做。</translation>
    </message>
    <message>
        <source>The anatomy of such a step has kernels running for %1, longer than the step of %2 without the tracer: the two contradict each other.</source>
        <translation>此类步的解剖中内核运行 %1，长于不跟踪时的步时 %2：两者矛盾。</translation>
    </message>
    <message>
        <source>Launched one by one the step takes %1, replayed from a graph %2, which is longer: the two were not measured under the same conditions.</source>
        <translation>逐个启动时该步用时 %1，由图重放用时 %2，反而更长：两者并非在相同条件下测得。</translation>
    </message>
    <message>
        <source>Launched one by one the step takes %1, replayed from a graph %2: %3 of the eager step was launching, and is gone here.</source>
        <translation>逐个启动时该步用时 %1，由图重放用时 %2：eager 步的 %3 是启动开销，此处已消除。</translation>
    </message>
    <message>
        <source>Launched one by one the step takes %1, replayed from a graph %2 (%3 less). With the %4 that a replayed step of as many layers costs without weights, launches and fixed cost are %5 of this step.</source>
        <translation>逐个启动时该步用时 %1，由图重放用时 %2（少 %3）。加上同样层数、无权重的重放步的开销 %4，启动与固定开销占该步的 %5。</translation>
    </message>
    <message>
        <source>Launched one by one the step takes %1, replayed from a graph %2: launching is %3 of it.</source>
        <translation>逐个启动时该步用时 %1，由图重放用时 %2：启动占其 %3。</translation>
    </message>
    <message>
        <source>By the host&apos;s clock a step takes %1, of which the device&apos;s timer did not run for %2 (%3).</source>
        <translation>按主机时钟一步用时 %1，其中设备计时器有 %2（%3）未运行。</translation>
    </message>
    <message>
        <source>Steps that follow one another without a wait took %1 each, longer than waited for one by one (%2): something else held them up, so that the cost of waiting is not known.</source>
        <translation>不等待、连续执行的步骤每步用了 %1，比逐步等待（%2）更长：有其他因素拖慢了它们，因此无法得知等待的代价。</translation>
    </message>
    <message>
        <source>Steps that follow one another without a wait take %1 each, waited for one by one %2: waiting costs %3.</source>
        <translation>不等待而连续执行时每步 %1，逐步等待时 %2：等待开销为 %3。</translation>
    </message>
    <message>
        <source>A step of as many layers with almost no weights takes %1, %2 of this step: the fixed cost of its operations.</source>
        <translation>同样层数、几乎没有权重的一步用时 %1，占该步的 %2：即其各操作的固定开销。</translation>
    </message>
    <message>
        <source>A step of as many layers with almost no weights takes %1 to launch and run, %2 of this step; part of that may hide behind the device&apos;s work.</source>
        <translation>同样层数、几乎没有权重的一步启动并运行用时 %1，占该步的 %2；其中一部分可能被设备的工作掩盖。</translation>
    </message>
    <message>
        <source>The SM clock read %1 to %2 MHz beside its steps.</source>
        <translation>各步旁读到的 SM 时钟为 %1 至 %2 MHz。</translation>
    </message>
    <message>
        <source>%1 of %2 steps ran while the device reported throttling (%3).</source>
        <translation>%2 步中有 %1 步运行时设备报告降频（%3）。</translation>
    </message>
    <message>
        <source>No step was throttled.</source>
        <translation>没有步被降频。</translation>
    </message>
    <message>
        <source>Cannot tell: the step is faster than the measured ceilings allow (ratio %1), though not than the datasheet&apos;s; the calibration underrates the device.</source>
        <translation>无法判断：该步快于实测上限所允许（比值 %1），但未超过规格；校准低估了设备。</translation>
    </message>
    <message>
        <source>Calibrate again on an idle device, then measure the point again.</source>
        <translation>请在空闲设备上重新校准，再重新测量该点。</translation>
    </message>
    <message>
        <source>Cannot tell: the step is faster than its floor (ratio %1), which is impossible; find the fault first.</source>
        <translation>无法判断：该步快于其下限（比值 %1），这不可能；请先找出错误。</translation>
    </message>
    <message>
        <source>Check that every timed step waits for the device, that the weights are far larger than the cache, and that card and dtype are those of the ceilings.</source>
        <translation>请检查每个计时步都等待了设备、权重远大于缓存，且显卡与数据类型同上限一致。</translation>
    </message>
    <message>
        <source>Cannot tell: its steps differ by %1 from p10 to p90, more than the 20 % that are normal.</source>
        <translation>无法判断：其各步从 p10 到 p90 相差 %1，超过正常的 20 %。</translation>
    </message>
    <message>
        <source>Measure again with more steps on an idle machine, and look at the per-step chart for what varies.</source>
        <translation>请在空闲的机器上以更多步重新测量，并查看逐步图表中的变化。</translation>
    </message>
    <message>
        <source>Mixed, at the ridge: the bytes alone would take %1 of the step and the arithmetic %2.</source>
        <translation>混合，位于拐点：仅访存就需该步的 %1，计算需 %2。</translation>
    </message>
    <message>
        <source>A larger batch gains little more here: both roofs are near.</source>
        <translation>更大的 batch 在此收益甚微：两个屋顶都已接近。</translation>
    </message>
    <message>
        <source>Launch-bound: launches and the fixed cost of kernels take %1 of the step, the bytes alone would take %2.</source>
        <translation>受启动限制：启动与内核固定开销占该步的 %1，仅访存需 %2。</translation>
    </message>
    <message>
        <source>Memory-bound: the bytes alone would take %1 of the step, the arithmetic %2.</source>
        <translation>受内存限制：仅访存就需该步的 %1，计算需 %2。</translation>
    </message>
    <message>
        <source>Compute-bound: the arithmetic alone would take %1 of the step, the bytes %2.</source>
        <translation>受计算限制：仅计算就需该步的 %1，访存需 %2。</translation>
    </message>
    <message>
        <source>Mixed: neither bytes (%1 of the step) nor arithmetic (%2) nor launches (%3) explain it; its kernels stay below both roofs.</source>
        <translation>混合：访存（该步的 %1）、计算（%2）和启动（%3）都不能解释它；其内核低于两个屋顶。</translation>
    </message>
    <message>
        <source>Mixed: the bytes alone would take %1 of the step, launches and the fixed cost of kernels %2.</source>
        <translation>混合：仅访存就需该步的 %1，启动与内核固定开销 %2。</translation>
    </message>
    <message>
        <source>Mixed: the arithmetic alone would take %1 of the step, launches and the fixed cost of kernels %2.</source>
        <translation>混合：仅计算就需该步的 %1，启动与内核固定开销 %2。</translation>
    </message>
    <message>
        <source>Cannot tell: the floor is %1 of the step, and nothing that was measured says where the rest goes.</source>
        <translation>无法判断：下限占该步的 %1，而测得的数据都未说明其余时间的去向。</translation>
    </message>
    <message>
        <source>Calibrate: the measured fixed cost of a step says how much of it launches take.</source>
        <translation>请校准：实测的单步固定开销会说明启动占多少。</translation>
    </message>
    <message>
        <source>Measure the same point with --mode eager: the difference is what launching costs.</source>
        <translation>请用 --mode eager 测量同一点：差值即启动开销。</translation>
    </message>
    <message>
        <source>Measure the same point with --mode graph: the difference is what launching costs.</source>
        <translation>请用 --mode graph 测量同一点：差值即启动开销。</translation>
    </message>
    <message>
        <source>Take a step apart (anatomy): it shows how long the device had nothing to do.</source>
        <translation>解剖一步：可看出设备空闲多久。</translation>
    </message>
    <message>
        <source>Try --mode graph: a replayed step needs one launch.</source>
        <translation>请试 --mode graph：重放的一步只需一次启动。</translation>
    </message>
    <message>
        <source>Use --mode graph: the same step takes %1 there.</source>
        <translation>请使用 --mode graph：同一步在那里用时 %1。</translation>
    </message>
    <message>
        <source>A larger batch: weights are read and kernels launched once for all sequences.</source>
        <translation>更大的 batch：所有序列共用一次权重读取与内核启动。</translation>
    </message>
    <message>
        <source>A shorter context or a model with fewer KV heads: the KV cache is %1 of the bytes, and a larger batch does not amortise it.</source>
        <translation>更短的上下文或 KV 头更少的模型：KV cache 占字节的 %1，更大的 batch 无法摊薄它。</translation>
    </message>
    <message>
        <source>bf16 or fp16: half the bytes a step.</source>
        <translation>bf16 或 fp16：每步字节减半。</translation>
    </message>
    <message>
        <source>A larger batch gains no more tokens a second; only a faster arithmetic rate does.</source>
        <translation>更大的 batch 不再提高每秒 token 数；只有更快的计算速率可以。</translation>
    </message>
    <message>
        <source>bf16 or fp16, where the device multiplies them faster.</source>
        <translation>bf16 或 fp16，若设备对其乘法更快。</translation>
    </message>
    <message>
        <source>Take a step apart (anatomy) to see which kernels stay below the roof.</source>
        <translation>解剖一步，看哪些内核低于屋顶。</translation>
    </message>
    <message>
        <source>Calibrate: these shares are of the datasheet&apos;s ceilings, which nothing reaches.</source>
        <translation>请校准：这些占比以规格上限计，而实际无法达到。</translation>
    </message>
    <message>
        <source>Look at the synchronisation: waiting for each step costs %1.</source>
        <translation>请留意同步：逐步等待的开销为 %1。</translation>
    </message>
    <message>
        <source>Look at power limit and cooling: half of the steps or more were throttled.</source>
        <translation>请检查功耗限制与散热：一半或更多的步被降频。</translation>
    </message>
    <message>
        <source>A ratio of %1 does not mean that %2 of the bandwidth was used: in the %3 in which kernels ran, bytes moved at %4.</source>
        <translation>比值 %1 并不意味着只用了带宽的 %2：在内核运行的 %3 内，字节以 %4 移动。</translation>
    </message>
    <message>
        <source>A ratio of %1 does not mean that %2 of the bandwidth was used: for part of the step the device may have been waiting for launches. Only the time in which kernels run says how fast they read.</source>
        <translation>比值 %1 并不意味着只用了带宽的 %2：该步的一部分时间设备可能在等待启动。只有内核运行的时间才说明其读取速度。</translation>
    </message>
    <message>
        <source>The curve bends (%1 below linear at batch %2), which does not make it compute-bound: the arithmetic would take %3, the bytes %4.</source>
        <translation>曲线弯曲（batch %2 处低于线性 %1），但这并不意味着受计算限制：计算需 %3，访存需 %4。</translation>
    </message>
    <message>
        <source>Arithmetic intensity is not the batch: at batch %1 it is %2, since KV bytes grow with the batch too. At this context no batch brings it over %3.</source>
        <translation>算术强度不等于 batch：batch %1 时为 %2，因为 KV 字节也随 batch 增长。在此上下文下任何 batch 都不会使其超过 %3。</translation>
    </message>
    <message>
        <source>A step of as many layers with almost no weights took %1, longer than this step: the two were not measured under the same conditions, and it does not count.</source>
        <translation>同样层数、几乎没有权重的一步用时 %1，比该步还长：两者并非在相同条件下测得，故不计入。</translation>
    </message>
    <message>
        <source>The SM clock read %1 MHz beside its steps.</source>
        <translation>各步旁读到的 SM 时钟为 %1 MHz。</translation>
    </message>
    <message>
        <source>none: no time that follows the FLOP can be told from zero beside that of the bytes; arithmetic that hides behind them takes none of its own</source>
        <translation>无：除字节所需时间外，随 FLOP 增长的时间与零无法区分；被访存掩盖的计算不占用自己的时间</translation>
    </message>
    <message>
        <source>A step without tracer takes %1 (median).</source>
        <translation>不带跟踪器的一步用时 %1（中位数）。</translation>
    </message>
    <message>
        <source>The traced step takes %1 from its first kernel to its last: %2 kernels, busy %3 (%4), gaps %5; %6 by the host&apos;s clock.</source>
        <translation>被跟踪的一步从第一个内核到最后一个用时 %1：%2 个内核，忙 %3（%4），间隙 %5；按主机时钟为 %6。</translation>
    </message>
    <message>
        <source>It is %1 times the untraced one.</source>
        <translation>它是未跟踪时的 %1 倍。</translation>
    </message>
    <message>
        <source>Timed apart, the parts come to %1, %2 times the untraced step (by %3).</source>
        <translation>分开计时，各部分合计 %1，是未跟踪步的 %2 倍（依据：%3）。</translation>
    </message>
    <message>
        <source>Timed apart, the parts come to %1 (by %2).</source>
        <translation>分开计时，各部分合计 %1（依据：%2）。</translation>
    </message>
    <message>
        <source>Traced by %1.</source>
        <translation>跟踪器：%1。</translation>
    </message>
    <message>
        <source>The parts of the kernels are known from a step that was issued one operation at a time and marked; the trace holds the same kernels in the same order.</source>
        <translation>各内核属于哪个部分，取自逐个操作下发并做了标记的一步；跟踪中有相同顺序的相同内核。</translation>
    </message>
    <message>
        <source>The parts of the kernels are not known: the traced step holds %1 kernels, not those %2 that a marked step held in that order.</source>
        <translation>各内核属于哪个部分未知：被跟踪的一步有 %1 个内核，与做了标记的一步的那 %2 个及其顺序不同。</translation>
    </message>
    <message>
        <source>%1 did not tie the kernels to the parts, so that all of them are under other.</source>
        <translation>%1 没有把内核对应到部分，因此它们全部归入“其他”。</translation>
    </message>
    <message>
        <source>There is no trace: %1</source>
        <translation>没有跟踪：%1</translation>
    </message>
    <message>
        <source>%1 recorded nothing.</source>
        <translation>%1 没有记录到任何内容。</translation>
    </message>
    <message>
        <source>On the CPU an operation is the decoder&apos;s own code between two marks, or an outermost operation of libtorch on the thread that issues the step; operations inside it are not listed.</source>
        <translation>在 CPU 上，一个操作是两个标记之间解码器自己的代码，或是下发该步的线程上 libtorch 最外层的操作；其内部的操作不列出。</translation>
    </message>
    <message>
        <source>device events around each part of steps that are issued one operation at a time, each step queued behind a delay so that the device does not wait for the host</source>
        <translation>各步逐个操作下发，每个部分前后有设备事件；每步都排在一段延时之后，使设备不必等主机</translation>
    </message>
    <message>
        <source>%1; the step is one kernel, whose time is divided as one of its blocks found it by its clock</source>
        <translation>%1；该步是一个内核，其用时按其中一个线程块的时钟划分</translation>
    </message>
    <message>
        <source>%1; in %2 of %3 steps the device had begun before all was queued</source>
        <translation>%1；%3 步中有 %2 步，设备在全部排入之前就已开始</translation>
    </message>
    <message>
        <source>wall clock at the parts, libtorch&apos;s RecordFunction</source>
        <translation>各部分处的墙钟时间、libtorch 的 RecordFunction</translation>
    </message>
    <message>
        <source>wall clock at the beginning of each part</source>
        <translation>各部分开始处的墙钟时间</translation>
    </message>
    <message>
        <source>The step is one kernel: its parts are those that one of its blocks found by its clock.</source>
        <translation>该步是一个内核：各部分按其中一个线程块的时钟划分。</translation>
    </message>
    <message>
        <source>embed</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>rope</source>
        <translation>旋转编码</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>pick</source>
        <translation>取词</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights + %2; R^2 %3, %4 rows; the slope implies reading at %5.</source>
        <translation>TPOT = %1 × 权重 + %2；R² %3，%4 行；由斜率得读取速率 %5。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights - %2; R^2 %3, %4 rows; the slope implies reading at %5.</source>
        <translation>TPOT = %1 × 权重 − %2；R² %3，%4 行；由斜率得读取速率 %5。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights + %2, %3 rows; the slope implies reading at %4.</source>
        <translation>TPOT = %1 × 权重 + %2，%3 行；由斜率得读取速率 %4。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights - %2, %3 rows; the slope implies reading at %4.</source>
        <translation>TPOT = %1 × 权重 − %2，%3 行；由斜率得读取速率 %4。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights + %2; R^2 %3, %4 rows; the slope is not above zero and implies no bandwidth.</source>
        <translation>TPOT = %1 × 权重 + %2；R² %3，%4 行；斜率不大于零，得不出带宽。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights - %2; R^2 %3, %4 rows; the slope is not above zero and implies no bandwidth.</source>
        <translation>TPOT = %1 × 权重 − %2；R² %3，%4 行；斜率不大于零，得不出带宽。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights + %2, %3 rows; the slope is not above zero and implies no bandwidth.</source>
        <translation>TPOT = %1 × 权重 + %2，%3 行；斜率不大于零，得不出带宽。</translation>
    </message>
    <message>
        <source>TPOT = %1 x weights - %2, %3 rows; the slope is not above zero and implies no bandwidth.</source>
        <translation>TPOT = %1 × 权重 − %2，%3 行；斜率不大于零，得不出带宽。</translation>
    </message>
    <message>
        <source>In brackets: 95 % intervals.</source>
        <translation>括号内为 95 % 区间。</translation>
    </message>
    <message>
        <source>The fixed cost comes out below zero, which no time is: the rows do not lie on one line.</source>
        <translation>固定开销小于零，而时间不可能为负：这些行不在一条直线上。</translation>
    </message>
    <message>
        <source>By the line, reading weights takes from %1 to %2 of a step.</source>
        <translation>按这条线，读取权重占一步的 %1 到 %2。</translation>
    </message>
    <message>
        <source>The line over all rows implies %1, above %2.</source>
        <translation>全部行的直线得出 %1，高于%2。</translation>
    </message>
    <message>
        <source>The line over all rows implies %1, above %2, and so does its whole 95 % interval.</source>
        <translation>全部行的直线得出 %1，高于%2，其整个 95 % 区间也如此。</translation>
    </message>
    <message>
        <source>The line of the family %1 (%2) implies %3, above %4.</source>
        <translation>系列 %1（%2）的直线得出 %3，高于%4。</translation>
    </message>
    <message>
        <source>The line of the family %1 (%2) implies %3, above %4, and so does its whole 95 % interval.</source>
        <translation>系列 %1（%2）的直线得出 %3，高于%4，其整个 95 % 区间也如此。</translation>
    </message>
    <message>
        <source>The line of %1 (%2) implies %3, above %4.</source>
        <translation>%1（%2）的直线得出 %3，高于%4。</translation>
    </message>
    <message>
        <source>The line of %1 (%2) implies %3, above %4, and so does its whole 95 % interval.</source>
        <translation>%1（%2）的直线得出 %3，高于%4，其整个 95 % 区间也如此。</translation>
    </message>
    <message>
        <source>Memory is not read that fast: the fixed cost is not the same in these rows, or some of the weights come from a cache.</source>
        <translation>内存读不了这么快：这些行的固定开销并不相同，或部分权重来自缓存。</translation>
    </message>
    <message>
        <source>the %1 that was measured</source>
        <translation>实测的 %1</translation>
    </message>
    <message>
        <source>the %1 that was measured (nominal: %2)</source>
        <translation>实测的 %1（标称：%2）</translation>
    </message>
    <message>
        <source>the device&apos;s nominal %1</source>
        <translation>设备标称的 %1</translation>
    </message>
    <message>
        <source>%1 row</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 to without limit</source>
        <translation>%1 至无上限</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No ceiling of the device is known, so that the implied bandwidths stand against nothing: name its profile (--hardware) or its bandwidth (--bandwidth).</source>
        <translation>设备的上限未知，得出的带宽没有可对照的值：请指明其规格（--hardware）或带宽（--bandwidth）。</translation>
    </message>
    <message>
        <source>May be read from the cache (weights below %1 x the last-level cache of %2): %3.</source>
        <translation>可能从缓存读取（权重小于末级缓存 %2 的 %1 倍）：%3。</translation>
    </message>
    <message>
        <source>Not identifiable: there is no measured row.</source>
        <translation>无法辨识：没有实测的行。</translation>
    </message>
    <message>
        <source>Not identifiable: one row gives no line; measure a second weight.</source>
        <translation>无法辨识：一行得不出直线；请再测一种权重。</translation>
    </message>
    <message>
        <source>Not identifiable: every row has the same weight bytes; measure another model or dtype.</source>
        <translation>无法辨识：每行的权重字节数都相同；请测另一个模型或数据类型。</translation>
    </message>
    <message>
        <source>Two rows give a line and no interval: its error is not identifiable; measure a third weight.</source>
        <translation>两行得出直线但没有区间：其误差无法辨识；请再测第三种权重。</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>%1; may be read from the cache</source>
        <translation>%1；可能从缓存读取</translation>
    </message>
    <message>
        <source>W + b n kv + b kv</source>
        <translation>W + b n kv + b kv</translation>
    </message>
    <message>
        <source>2 N b + attention over the window</source>
        <translation>2 N b + 窗口内的注意力</translation>
    </message>
    <message>
        <source>2 N b + 4 b n heads head_dim layers</source>
        <translation>2 N b + 4 b n 头数 头维 层数</translation>
    </message>
    <message>
        <source>FLOP / bytes</source>
        <translation>FLOP / 字节</translation>
    </message>
    <message>
        <source>AI against ridge</source>
        <translation>AI 与拐点相比</translation>
    </message>
    <message>
        <source>memory-bound</source>
        <translation>受内存限制</translation>
    </message>
    <message>
        <source>compute-bound</source>
        <translation>受计算限制</translation>
    </message>
    <message>
        <source>bytes / B</source>
        <translation>字节 / B</translation>
    </message>
    <message>
        <source>max(bytes / B, FLOP / P)</source>
        <translation>max(字节 / B, FLOP / P)</translation>
    </message>
    <message>
        <source>floor + overhead</source>
        <translation>下限 + 开销</translation>
    </message>
    <message>
        <source>t / floor</source>
        <translation>t / 下限</translation>
    </message>
    <message>
        <source>t / prediction</source>
        <translation>t / 预测</translation>
    </message>
    <message>
        <source>t B - W, held against %1</source>
        <translation>t B - W，与 %1 对照</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1，对照 %2</translation>
    </message>
    <message>
        <source>FLOP a sequence / KV bytes a sequence</source>
        <translation>每序列 FLOP / 每序列 KV 字节</translation>
    </message>
    <message>
        <source>no KV cache is read</source>
        <translation>不读取 KV cache</translation>
    </message>
    <message>
        <source>without bound</source>
        <translation>没有上限</translation>
    </message>
    <message>
        <source>ridge W / (FLOP a sequence - ridge KV bytes a sequence)</source>
        <translation>拐点 W / (每序列 FLOP - 拐点 每序列 KV 字节)</translation>
    </message>
    <message>
        <source>ridge W / (2 N - ridge n kv)</source>
        <translation>拐点 W / (2 N - 拐点 n kv)</translation>
    </message>
    <message>
        <source>never: AI_max %1 &lt; ridge %2</source>
        <translation>永不：AI_max %1 &lt; 拐点 %2</translation>
    </message>
    <message>
        <source>floor((memory - W_total) / (n kv))</source>
        <translation>floor((内存 - W_total) / (n kv))</translation>
    </message>
    <message>
        <source>the device&apos;s memory is not known</source>
        <translation>该设备的内存未知</translation>
    </message>
    <message>
        <source>%1 sequences</source>
        <translation>%1 个序列</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Impossible: a step cannot be faster than its floor. Look for the fault: a missing synchronise, weights that stay in the cache, the wrong card or the wrong dtype.</source>
        <translation>不可能：一步不会快于其下限。请查找错误：缺少同步、权重留在缓存中、显卡或数据类型不对。</translation>
    </message>
    <message>
        <source>Nearly at the bandwidth: the step does little else than read weights. Only fewer bytes or more bandwidth make it faster.</source>
        <translation>接近带宽：该步几乎只在读取权重。只有更少的字节或更高的带宽才能更快。</translation>
    </message>
    <message>
        <source>Memory-bound holds: a third of the step or more is what memory takes at its best. Look at the kernels and the launches for the rest.</source>
        <translation>受内存限制成立：一步的三分之一或更多是访存最快也要的时间。其余部分请看内核与启动。</translation>
    </message>
    <message>
        <source>A clear part of the time moves no weights. The device may be waiting for launches: look at the gaps between kernels before calling the bandwidth unused.</source>
        <translation>有明显一部分时间没有搬运权重。设备可能在等待启动：先看内核之间的间隙，再说带宽没有用上。</translation>
    </message>
    <message>
        <source>Overhead rules: the step is mostly fixed cost. A faster device would hardly help; fewer launches, a graph or a larger batch would.</source>
        <translation>开销为主：该步大部分是固定开销。更快的设备帮助不大；更少的启动、graph 或更大的 batch 才有用。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>Model and dtype</source>
        <translation>模型与数据类型</translation>
    </message>
    <message>
        <source>random weights of this shape</source>
        <translation>该形状的随机权重</translation>
    </message>
    <message>
        <source>weights of a checkpoint</source>
        <translation>检查点的权重</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示 token 数</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>New tokens N</source>
        <translation>新 token 数 N</translation>
    </message>
    <message>
        <source>TTFT, method %1</source>
        <translation>TTFT，方法 %1</translation>
    </message>
    <message>
        <source>TPOT, method %1</source>
        <translation>TPOT，方法 %1</translation>
    </message>
    <message>
        <source>%1; median of %2</source>
        <translation>%1；%2 次的中位数</translation>
    </message>
    <message>
        <source>two generations subtracted</source>
        <translation>两次生成相减</translation>
    </message>
    <message>
        <source>each token as it reaches the reader</source>
        <translation>每个 token 到达读者时</translation>
    </message>
    <message>
        <source>a loop with every step timed</source>
        <translation>逐步计时的循环</translation>
    </message>
    <message>
        <source>TPOT least, method %1</source>
        <translation>TPOT 最小，方法 %1</translation>
    </message>
    <message>
        <source>TPOT greatest, method %1</source>
        <translation>TPOT 最大，方法 %1</translation>
    </message>
    <message>
        <source>TTFT floor</source>
        <translation>TTFT 下限</translation>
    </message>
    <message>
        <source>memory-bound at %1, nominal ceilings</source>
        <translation>受内存限制，%1，标称上限</translation>
    </message>
    <message>
        <source>compute-bound at %1, nominal ceilings</source>
        <translation>受计算限制，%1，标称上限</translation>
    </message>
    <message>
        <source>TTFT forecast</source>
        <translation>TTFT 预测</translation>
    </message>
    <message>
        <source>products and attention of these sizes, timed before the run</source>
        <translation>这些大小的乘积与注意力，运行前计时</translation>
    </message>
    <message>
        <source>TPOT floor</source>
        <translation>TPOT 下限</translation>
    </message>
    <message>
        <source>memory-bound, %1 a step, nominal ceilings</source>
        <translation>受内存限制，每步 %1，标称上限</translation>
    </message>
    <message>
        <source>compute-bound, %1 a step, nominal ceilings</source>
        <translation>受计算限制，每步 %1，标称上限</translation>
    </message>
    <message>
        <source>TPOT floor at measured ceilings</source>
        <translation>实测上限下的 TPOT 下限</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>TPOT predicted</source>
        <translation>TPOT 预测</translation>
    </message>
    <message>
        <source>from what calibration timed before the run</source>
        <translation>取自运行前的校准计时</translation>
    </message>
    <message>
        <source>Ratio TPOT / floor</source>
        <translation>TPOT / 下限之比</translation>
    </message>
    <message>
        <source>Ratio TPOT / floor at measured ceilings</source>
        <translation>TPOT / 实测上限下的下限之比</translation>
    </message>
    <message>
        <source>Measured / predicted</source>
        <translation>实测 / 预测</translation>
    </message>
    <message>
        <source>0.9 to 1.3: the model holds</source>
        <translation>0.9 至 1.3：模型成立</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <source>the ceiling is %1</source>
        <translation>上限为 %1</translation>
    </message>
    <message>
        <source>2 to 5 is expected</source>
        <translation>预期为 2 至 5</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Cross-check</source>
        <translation>互相核对</translation>
    </message>
    <message>
        <source>Only one method gave a TPOT: nothing to check it against.</source>
        <translation>只有一种方法给出 TPOT：没有可核对的。</translation>
    </message>
    <message>
        <source>No method gave a TPOT: nothing to check.</source>
        <translation>没有方法给出 TPOT：无可核对。</translation>
    </message>
    <message>
        <source>%1 methods agree on the TPOT within %2 (20 % is normal).</source>
        <translation>%1 种方法的 TPOT 相差不超过 %2（20 % 属正常）。</translation>
    </message>
    <message>
        <source>Method %1 gives a TPOT of %2, method %3 one of %4: %5 apart, more than the 20 % that are normal.</source>
        <translation>方法 %1 的 TPOT 为 %2，方法 %3 为 %4：相差 %5，超过正常的 20 %。</translation>
    </message>
    <message>
        <source>Repeat with more repeats and an idle machine.</source>
        <translation>请增加重复次数，并在空闲的机器上重测。</translation>
    </message>
    <message>
        <source>Method %1 gives a TPOT of %2, method %3 one of %4: %5 apart, a factor of two or more: one of them is wrong.</source>
        <translation>方法 %1 的 TPOT 为 %2，方法 %3 为 %4：相差 %5，达两倍以上：其中一个有误。</translation>
    </message>
    <message>
        <source>Check that every timed step waits for the device, that warm-up repeats ran before the first timed one, that the generations did not end early at an end-of-text token, and that no other program used the device.</source>
        <translation>请检查：每个计时步都等待设备、首次计时前做过预热、生成没有在结束 token 处提前停止、没有其他程序使用该设备。</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>read of %1, best: %2</source>
        <translation>读 %1，最佳：%2</translation>
    </message>
    <message>
        <source>read of %1, %2</source>
        <translation>读 %1，%2</translation>
    </message>
    <message>
        <source>copy of %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>%1 threads x %2 blocks a multiprocessor</source>
        <translation>每个 SM %2 块 × %1 线程</translation>
    </message>
    <message>
        <source>%1 loads side by side</source>
        <translation>并排 %1 次装载</translation>
    </message>
    <message>
        <source>%1 loads</source>
        <translation>%1 次装载</translation>
    </message>
    <message>
        <source>matmul %1, sustained</source>
        <translation>矩阵乘 %1，持续</translation>
    </message>
    <message>
        <source>matmul %1</source>
        <translation>矩阵乘 %1</translation>
    </message>
    <message>
        <source>decode product %1</source>
        <translation>解码乘积 %1</translation>
    </message>
    <message>
        <source>one operation</source>
        <translation>一个操作</translation>
    </message>
    <message>
        <source>empty kernel, launched</source>
        <translation>空内核，单独启动</translation>
    </message>
    <message>
        <source>empty kernel, node of a graph</source>
        <translation>空内核，graph 的节点</translation>
    </message>
    <message>
        <source>step overhead</source>
        <translation>每步开销</translation>
    </message>
    <message>
        <source>step overhead, graph</source>
        <translation>每步开销，graph</translation>
    </message>
    <message>
        <source>graph step overhead</source>
        <translation>graph 每步开销</translation>
    </message>
    <message>
        <source>graph node overhead</source>
        <translation>graph 节点开销</translation>
    </message>
    <message>
        <source>an empty kernel in a graph</source>
        <translation>graph 中的一个空内核</translation>
    </message>
    <message>
        <source>%1, %2 layers, replayed</source>
        <translation>%1，%2 层，重放</translation>
    </message>
    <message>
        <source>bytes read + bytes written</source>
        <translation>读字节 + 写字节</translation>
    </message>
    <message>
        <source>bytes read</source>
        <translation>读字节</translation>
    </message>
    <message>
        <source>2 m n k a product</source>
        <translation>每个乘积 2 m n k</translation>
    </message>
    <message>
        <source>median time</source>
        <translation>时间中位数</translation>
    </message>
    <message>
        <source>products: %1; decode: %2; prefill: %3</source>
        <translation>乘积：%1；解码：%2；预填充：%3</translation>
    </message>
    <message>
        <source>decode: %1; prefill: %2</source>
        <translation>解码：%1；预填充：%2</translation>
    </message>
    <message>
        <source>%1 (tried: %2)</source>
        <translation>%1（试过：%2）</translation>
    </message>
    <message>
        <source>own split-context kernel on tensor cores, K and V read once a group</source>
        <translation>自有的分段上下文内核，用张量核心，K 和 V 每组读一次</translation>
    </message>
    <message>
        <source>own split-context kernel, K and V read once a group</source>
        <translation>自有的分段上下文内核，K 和 V 每组读一次</translation>
    </message>
    <message>
        <source>own kernel, K and V read once a group of heads</source>
        <translation>自有内核，K 和 V 每组头读一次</translation>
    </message>
    <message>
        <source>libtorch&apos;s fused attention</source>
        <translation>libtorch 的融合注意力</translation>
    </message>
    <message>
        <source>matrix products of libtorch</source>
        <translation>libtorch 的矩阵乘积</translation>
    </message>
    <message>
        <source>one kernel</source>
        <translation>单一内核</translation>
    </message>
    <message>
        <source>own with norm early</source>
        <translation>自有并含归一化，提前</translation>
    </message>
    <message>
        <source>own with norm</source>
        <translation>自有并含归一化</translation>
    </message>
    <message>
        <source>own early</source>
        <translation>自有，提前</translation>
    </message>
    <message>
        <source>own</source>
        <translation>自有</translation>
    </message>
    <message>
        <source>weights %1 + KV %2 = %3 + workspace %4 = %5 &gt; %6, what %7 has free.</source>
        <translation>权重 %1 + KV %2 = %3 + 工作区 %4 = %5 &gt; %6，即 %7 的空闲内存。</translation>
    </message>
    <message>
        <source>weights %1 + KV %2 = %3 + workspace %4 = %5 &gt; %6, the memory limit of the run.</source>
        <translation>权重 %1 + KV %2 = %3 + 工作区 %4 = %5 &gt; %6，即本次运行的内存上限。</translation>
    </message>
    <message>
        <source>Allocating the KV cache ran out of memory (%1); choose a smaller batch, context or model, or close what else uses the GPU (nvidia-smi lists it).</source>
        <translation>分配 KV cache 时内存不足（%1）；请减小 batch、上下文或模型，或关闭占用 GPU 的其他程序（nvidia-smi 会列出）。</translation>
    </message>
    <message>
        <source>%1 ran out of memory (%2); choose a smaller batch, context or model, or close what else uses the GPU (nvidia-smi lists it).</source>
        <translation>%1：内存不足（%2）；请减小 batch、上下文或模型，或关闭占用 GPU 的其他程序（nvidia-smi 会列出）。</translation>
    </message>
    <message>
        <source>The device ran out of memory (%1): choose a smaller batch, prompt or model.</source>
        <translation>设备内存不足（%1）：请减小 batch、提示或模型。</translation>
    </message>
    <message>
        <source>The imported file says that the device&apos;s memory did not suffice.</source>
        <translation>导入的文件说明设备内存不够。</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>oom</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>oom: %1</source>
        <translation>内存不足：%1</translation>
    </message>
    <message>
        <source>skipped: %1</source>
        <translation>已跳过：%1</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Sweep: done</source>
        <translation>扫描：完成</translation>
    </message>
    <message>
        <source>Sweep: batch %1 of %2, prompt %3, %4</source>
        <translation>扫描：batch %1/%2，提示 %3，%4</translation>
    </message>
    <message>
        <source>Sweep: %1, %2 %</source>
        <translation>扫描：%1，%2 %</translation>
    </message>
    <message>
        <source>prompt of %1 tokens</source>
        <translation>%1 个 token 的提示</translation>
    </message>
    <message>
        <source>untimed step %1 of %2</source>
        <translation>不计时的步 %1/%2</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>步 %1/%2</translation>
    </message>
    <message>
        <source>back to back</source>
        <translation>连续步</translation>
    </message>
    <message>
        <source>random weights</source>
        <translation>随机权重</translation>
    </message>
    <message>
        <source>weights of %1</source>
        <translation>%1 的权重</translation>
    </message>
    <message>
        <source>weights, %1 %</source>
        <translation>权重，%1 %</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>parts, step %1 of %2</source>
        <translation>各部分，步 %1/%2</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Anatomy: batch %1, context %2, %3</source>
        <translation>解剖：batch %1，上下文 %2，%3</translation>
    </message>
    <message>
        <source>Calibration: %1</source>
        <translation>校准：%1</translation>
    </message>
    <message>
        <source>Line over models: %1 (%2 of %3), %4</source>
        <translation>多模型直线：%1（%2/%3），%4</translation>
    </message>
    <message>
        <source>generation %1 of %2</source>
        <translation>生成 %1/%2</translation>
    </message>
    <message>
        <source>untimed generation %1 of %2</source>
        <translation>不计时的生成 %1/%2</translation>
    </message>
    <message>
        <source>method %1, generation %2 of %3</source>
        <translation>方法 %1，生成 %2/%3</translation>
    </message>
    <message>
        <source>method %1, untimed generation %2 of %3</source>
        <translation>方法 %1，不计时的生成 %2/%3</translation>
    </message>
    <message>
        <source>read bandwidth</source>
        <translation>读带宽</translation>
    </message>
    <message>
        <source>copy bandwidth</source>
        <translation>复制带宽</translation>
    </message>
    <message>
        <source>one trivial operation</source>
        <translation>一个极小的操作</translation>
    </message>
    <message>
        <source>one empty kernel</source>
        <translation>一个空内核</translation>
    </message>
    <message>
        <source>fixed cost of a step</source>
        <translation>一步的固定开销</translation>
    </message>
    <message>
        <source>fixed cost of a step in a graph</source>
        <translation>graph 中一步的固定开销</translation>
    </message>
    <message>
        <source>the host&apos;s way of issuing steps</source>
        <translation>主机下发各步的方式</translation>
    </message>
    <message>
        <source>steps of batch %1 at context %2</source>
        <translation>batch %1、上下文 %2 的步</translation>
    </message>
    <message>
        <source>prefill of %1 x %2 tokens</source>
        <translation>%1 × %2 token 的预填充</translation>
    </message>
    <message>
        <source>Could not read &quot;%1&quot;: %2. Check the path and its permissions.</source>
        <translation>无法读取“%1”：%2。请检查路径和权限。</translation>
    </message>
    <message>
        <source>Could not write &quot;%1&quot;: %2. %3</source>
        <translation>无法写入“%1”：%2。%3</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或文件夹</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备没有剩余空间</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>Free some space or choose another folder.</source>
        <translation>请腾出空间或另选文件夹。</translation>
    </message>
    <message>
        <source>Choose a folder you may write to, or change its permissions.</source>
        <translation>请选择可写的文件夹，或修改其权限。</translation>
    </message>
    <message>
        <source>The file system is read-only; choose another folder.</source>
        <translation>文件系统只读；请另选文件夹。</translation>
    </message>
    <message>
        <source>A folder of that name is in the way; choose another file name.</source>
        <translation>已有同名文件夹；请另取文件名。</translation>
    </message>
    <message>
        <source>A part of the path is a file, not a folder; choose another folder.</source>
        <translation>路径中有一段是文件而不是文件夹；请另选文件夹。</translation>
    </message>
    <message>
        <source>Choose a shorter name.</source>
        <translation>请取更短的名称。</translation>
    </message>
    <message>
        <source>Choose another path or check the disk.</source>
        <translation>请另选路径或检查磁盘。</translation>
    </message>
    <message>
        <source>%1 is not JSON: the fault is at byte %2 of %3. Use an undamaged copy.</source>
        <translation>%1 不是 JSON：错误在第 %2 字节（共 %3）。请使用未损坏的副本。</translation>
    </message>
    <message>
        <source>%1 ends in the middle, after %2 bytes: it was cut off. Use a complete copy.</source>
        <translation>%1 在 %2 字节后中断：文件不完整。请使用完整的副本。</translation>
    </message>
    <message>
        <source>%1 holds a number that is too large to read. Use an undamaged copy.</source>
        <translation>%1 含有过大而无法读取的数。请使用未损坏的副本。</translation>
    </message>
    <message>
        <source>%1 cannot be used: %2. It is damaged or was edited; use an undamaged copy.</source>
        <translation>%1 无法使用：%2。文件已损坏或被改动；请使用未损坏的副本。</translation>
    </message>
    <message>
        <source>the field &apos;%1&apos; %2</source>
        <translation>字段“%1” %2</translation>
    </message>
    <message>
        <source>the file %1</source>
        <translation>文件 %1</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>does not say &apos;ridgepoint-session&apos;</source>
        <translation>不是 &apos;ridgepoint-session&apos;</translation>
    </message>
    <message>
        <source>%1 has version %2: it was written by a newer Ridgepoint than this one, which reads up to version %3. Update Ridgepoint to open it.</source>
        <translation>%1 的版本为 %2：由比本程序更新的 Ridgepoint 写成，本程序只能读到版本 %3。请更新 Ridgepoint 后打开。</translation>
    </message>
    <message>
        <source>%1 is %2; give a number from %3 to %4.</source>
        <translation>%1 为 %2；请给出 %3 到 %4 之间的数。</translation>
    </message>
    <message>
        <source>The run was on &apos;%1&apos;, but it was predicted with the datasheet of %2: the nominal floor, the ridge and the capacity are those of another device. Choose the profile %3 (--hardware %4) and run again.</source>
        <translation>该运行在“%1”上，却用 %2 的规格预测：标称下限、拐点和容量都属于另一设备。请选择规格 %3（--hardware %4）后重新运行。</translation>
    </message>
    <message>
        <source>The run was on &apos;%1&apos; and predicted with the datasheet of %2, neither of which this catalogue knows: whether they are the same device cannot be told. Add the profile to the catalogue.</source>
        <translation>该运行在“%1”上，用 %2 的规格预测，目录中两者都没有：无法判断是否同一设备。请把该规格加入目录。</translation>
    </message>
    <message>
        <source>The run was on &apos;%1&apos;, which the catalogue does not know by that name, but it was predicted with the datasheet of %2: the nominal floor, the ridge and the capacity may be those of another device. Add the name to that profile&apos;s aliases if it is the same, else choose another profile.</source>
        <translation>该运行在“%1”上，目录中没有这个名称，却用 %2 的规格预测：标称下限、拐点和容量可能属于另一设备。若是同一设备，请把该名称加入该规格的别名，否则另选规格。</translation>
    </message>
    <message>
        <source>%1 (CPU), %2</source>
        <translation>%1（CPU），%2</translation>
    </message>
    <message>
        <source>%1 (CUDA %2), %3</source>
        <translation>%1（CUDA %2），%3</translation>
    </message>
    <message>
        <source>The recorded run failed here: %1</source>
        <translation>记录的运行在此失败：%1</translation>
    </message>
    <message>
        <source>%2: calibration</source>
        <translation>%2：校准</translation>
    </message>
    <message>
        <source>%1 on %2: several experiments, %3</source>
        <translation>%1，%2：多个实验，%3</translation>
    </message>
    <message>
        <source>%1 on %2: batch sweep, %3</source>
        <translation>%1，%2：batch 扫描，%3</translation>
    </message>
    <message>
        <source>%1 on %2: TTFT and TPOT, %3</source>
        <translation>%1，%2：TTFT 与 TPOT，%3</translation>
    </message>
    <message>
        <source>%1 on %2: line over models, %3</source>
        <translation>%1，%2：多模型直线，%3</translation>
    </message>
    <message>
        <source>%1 on %2: anatomy of a step, %3</source>
        <translation>%1，%2：一步的解剖，%3</translation>
    </message>
    <message>
        <source>%2 · calibration</source>
        <translation>%2 · 校准</translation>
    </message>
    <message>
        <source>%1 · %2 · sweep %3</source>
        <translation>%1 · %2 · 扫描 %3</translation>
    </message>
    <message>
        <source>%1 · %2 · TTFT %3</source>
        <translation>%1 · %2 · TTFT %3</translation>
    </message>
    <message>
        <source>%1 · %2 · line %3</source>
        <translation>%1 · %2 · 直线 %3</translation>
    </message>
    <message>
        <source>%1 · %2 · anatomy %3</source>
        <translation>%1 · %2 · 解剖 %3</translation>
    </message>
    <message>
        <source>%1 · %2 · several, %3</source>
        <translation>%1 · %2 · 多个，%3</translation>
    </message>
    <message>
        <source>The shares overlap and do not sum to one (%1 and %2): each is worked out as if it were alone, while launches run beside the device&apos;s work and the fixed cost is that of a step with almost no weights.</source>
        <translation>这些占比互有重叠，相加不为一（%1 和 %2）：每一项都按单独计算，而启动与设备的工作同时进行，固定开销则取自几乎没有权重的一步。</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>%1 models</source>
        <translation>%1 个模型</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>textbook</source>
        <translation>教科书</translation>
    </message>
    <message>
        <source>one kernel %1 ms</source>
        <translation>单一内核 %1 ms</translation>
    </message>
    <message>
        <source>own with norm early %1 ms</source>
        <translation>自有并含归一化，提前 %1 ms</translation>
    </message>
    <message>
        <source>own with norm %1 ms</source>
        <translation>自有并含归一化 %1 ms</translation>
    </message>
    <message>
        <source>own early %1 ms</source>
        <translation>自有，提前 %1 ms</translation>
    </message>
    <message>
        <source>own %1 ms</source>
        <translation>自有 %1 ms</translation>
    </message>
    <message>
        <source>power cap</source>
        <translation>功率上限</translation>
    </message>
    <message>
        <source>thermal</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>hardware slowdown</source>
        <translation>硬件降速</translation>
    </message>
    <message>
        <source>power brake</source>
        <translation>功率制动</translation>
    </message>
    <message>
        <source>sync boost</source>
        <translation>同步加速</translation>
    </message>
    <message>
        <source>applications clocks</source>
        <translation>应用时钟</translation>
    </message>
    <message>
        <source>display clocks</source>
        <translation>显示时钟</translation>
    </message>
    <message>
        <source>The engine module %1 was not found (looked for %2). Prediction, import and reports work without it; to measure, install libtorch (Debian: libtorch-dev and libopenblas0-pthread) and build with RIDGEPOINT_ENGINE=ON, or set the environment variable RIDGEPOINT_ENGINE to the module&apos;s path.</source>
        <translation>没有找到引擎模块 %1（找过 %2）。没有它也能预测、导入和出报告；要测量，请安装 libtorch（Debian：libtorch-dev 和 libopenblas0-pthread）并以 RIDGEPOINT_ENGINE=ON 构建，或把环境变量 RIDGEPOINT_ENGINE 设为模块的路径。</translation>
    </message>
    <message>
        <source>The engine module %1 could not be loaded: %2. If a library is missing there, install it (libtorch: Debian&apos;s libtorch-dev) or put its folder into LD_LIBRARY_PATH; otherwise build the engine again on this machine.</source>
        <translation>无法加载引擎模块 %1：%2。若缺少库，请安装（libtorch：Debian 的 libtorch-dev）或把其文件夹加入 LD_LIBRARY_PATH；否则请在本机重新构建引擎。</translation>
    </message>
    <message>
        <source>TTFT / TPOT</source>
        <translation>TTFT / TPOT</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Ridgepoint report</source>
        <translation>Ridgepoint 报告</translation>
    </message>
    <message>
        <source>Ridgepoint report: %1</source>
        <translation>Ridgepoint 报告：%1</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Kernels by time</source>
        <translation>按时间排列的内核</translation>
    </message>
    <message>
        <source>Measured beside predicted</source>
        <translation>实测与预测对照</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>各部分</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Points without a time</source>
        <translation>没有时间的点</translation>
    </message>
    <message>
        <source>Steps split by regression</source>
        <translation>用回归拆分的步时</translation>
    </message>
    <message>
        <source>TTFT and TPOT</source>
        <translation>TTFT 与 TPOT</translation>
    </message>
    <message>
        <source>The formulas filled in: batch %1, context %2</source>
        <translation>代入数字的公式：batch %1，上下文 %2</translation>
    </message>
    <message>
        <source>The formulas filled in: one token in the middle, context %1</source>
        <translation>代入数字的公式：中间的一个 token，上下文 %1</translation>
    </message>
    <message>
        <source>The largest batch that fits</source>
        <translation>放得下的最大 batch</translation>
    </message>
    <message>
        <source>The lines</source>
        <translation>各条直线</translation>
    </message>
    <message>
        <source>What limits each point</source>
        <translation>限制每个点的因素</translation>
    </message>
    <message>
        <source>Why it bends</source>
        <translation>曲线为何弯曲</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>用语</translation>
    </message>
    <message>
        <source>What was expected</source>
        <translation>事先的预期</translation>
    </message>
    <message>
        <source>Line over models</source>
        <translation>模型间直线</translation>
    </message>
    <message>
        <source>%1, %2, %3: %4 points of %5</source>
        <translation>%1，%2，%3：%5 的 %4 个点</translation>
    </message>
    <message>
        <source>Run %1: calibrate on %2</source>
        <translation>运行 %1：在 %2 上校准</translation>
    </message>
    <message>
        <source>Run %1: anatomy of %2 in %3 on %4</source>
        <translation>运行 %1：%4 上 %2（%3）的单步解剖</translation>
    </message>
    <message>
        <source>Run %1: sweep of %2 in %3 on %4</source>
        <translation>运行 %1：%4 上 %2（%3）的 batch 扫描</translation>
    </message>
    <message>
        <source>Run %1: ttft of %2 in %3 on %4</source>
        <translation>运行 %1：%4 上 %2（%3）的 TTFT 与 TPOT</translation>
    </message>
    <message>
        <source>Run %1: sweep, imported, of %2 in %3 on %4</source>
        <translation>运行 %1：导入的 %4 上 %2（%3）的 batch 扫描</translation>
    </message>
    <message>
        <source>Run %1: line over %2 rows on %3</source>
        <translation>运行 %1：%3 上 %2 行的模型间直线</translation>
    </message>
    <message>
        <source>Run %1: line over %2 imported rows on %3</source>
        <translation>运行 %1：%3 上导入的 %2 行的模型间直线</translation>
    </message>
    <message>
        <source>%1 (a recording, played again)</source>
        <translation>%1（重放的记录）</translation>
    </message>
    <message>
        <source>a device that the table does not name</source>
        <translation>表中未注明的设备</translation>
    </message>
    <message>
        <source>%1: %2 in %3 on %4</source>
        <translation>%1：%4 上的 %2（%3）</translation>
    </message>
    <message>
        <source>Line over models on %1</source>
        <translation>%1 上的模型间直线</translation>
    </message>
    <message>
        <source>Session %1, begun %2, %3 runs. Every time is measured unless it is called floor or predicted; those follow from the ceilings alone.</source>
        <translation>会话 %1，开始于 %2，%3 次运行。凡未称为下限或预测的时间都是实测；下限与预测只由上限推出。</translation>
    </message>
    <message>
        <source>Session %1, begun %2, 1 run. Every time is measured unless it is called floor or predicted; those follow from the ceilings alone.</source>
        <translation>会话 %1，开始于 %2，1 次运行。凡未称为下限或预测的时间都是实测；下限与预测只由上限推出。</translation>
    </message>
    <message>
        <source>what</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Nominal ceilings of</source>
        <translation>标称上限取自</translation>
    </message>
    <message>
        <source>Accounting</source>
        <translation>口径</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Prompt, new tokens</source>
        <translation>prompt，新 token</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>dtype, mode</source>
        <translation>dtype，模式</translation>
    </message>
    <message>
        <source>dtypes</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Batches</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>prompt</translation>
    </message>
    <message>
        <source>Steps a point</source>
        <translation>每点步数</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Untraced steps</source>
        <translation>未跟踪的步</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>batch 扫描</translation>
    </message>
    <message>
        <source>line</source>
        <translation>直线</translation>
    </message>
    <message>
        <source>anatomy</source>
        <translation>解剖</translation>
    </message>
    <message>
        <source>ttft</source>
        <translation>TTFT 与 TPOT</translation>
    </message>
    <message>
        <source>still running when this was written</source>
        <translation>写出本报告时仍在运行</translation>
    </message>
    <message>
        <source>stopped by the user; the points below were finished before</source>
        <translation>被用户停止；下面的点在此之前完成</translation>
    </message>
    <message>
        <source>interrupted: the program ended before the run did</source>
        <translation>中断：程序先于运行结束</translation>
    </message>
    <message>
        <source>from %1, measured by %2; not by this program</source>
        <translation>来自 %1，由 %2 测得，不是本程序</translation>
    </message>
    <message>
        <source>the table&apos;s own</source>
        <translation>表格自身的口径</translation>
    </message>
    <message>
        <source>random, seed %1, or those of a folder</source>
        <translation>随机，种子 %1，或文件夹中的权重</translation>
    </message>
    <message>
        <source>random, seed %1</source>
        <translation>随机，种子 %1</translation>
    </message>
    <message>
        <source>checkpoint %1</source>
        <translation>检查点 %1</translation>
    </message>
    <message>
        <source>exact: what a step streams; batch 1</source>
        <translation>精确：一步所读取的量；batch 1</translation>
    </message>
    <message>
        <source>exact: what a step streams and multiplies, attention and the KV write included</source>
        <translation>精确：一步所读取和相乘的量，含注意力与 KV 写入</translation>
    </message>
    <message>
        <source>%1 untimed, %2 timed, median</source>
        <translation>%1 次不计时，%2 次计时，取中位数</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Last-level cache</source>
        <translation>末级缓存</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>CPU 线程</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>driver supports CUDA</source>
        <translation>驱动支持的 CUDA</translation>
    </message>
    <message>
        <source>CUDA runtime</source>
        <translation>CUDA 运行时</translation>
    </message>
    <message>
        <source>CUDA toolkit</source>
        <translation>CUDA 工具包</translation>
    </message>
    <message>
        <source>compiled for %1</source>
        <translation>为 %1 编译</translation>
    </message>
    <message>
        <source>compiled for</source>
        <translation>编译目标</translation>
    </message>
    <message>
        <source>compute capability</source>
        <translation>计算能力</translation>
    </message>
    <message>
        <source>compute mode</source>
        <translation>计算模式</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>persistence mode</source>
        <translation>持久模式</translation>
    </message>
    <message>
        <source>power limit</source>
        <translation>功率上限</translation>
    </message>
    <message>
        <source>card id (hash of the UUID)</source>
        <translation>卡标识（UUID 的散列）</translation>
    </message>
    <message>
        <source>clocks at start</source>
        <translation>开始时的频率</translation>
    </message>
    <message>
        <source>highest clocks</source>
        <translation>最高频率</translation>
    </message>
    <message>
        <source>memory in use at start</source>
        <translation>开始时已用内存</translation>
    </message>
    <message>
        <source>multiprocessors</source>
        <translation>多处理器</translation>
    </message>
    <message>
        <source>ECC</source>
        <translation>ECC</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>telemetry</source>
        <translation>遥测</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>graph nodes</source>
        <translation>graph 节点</translation>
    </message>
    <message>
        <source>NVML, sampled beside the steps</source>
        <translation>NVML，在各步旁采样</translation>
    </message>
    <message>
        <source>bytes allocated by libtorch, reset for each point</source>
        <translation>libtorch 分配的字节，每点重置</translation>
    </message>
    <message>
        <source>peak resident set of the process, reset for each point</source>
        <translation>进程的峰值常驻内存，每点重置</translation>
    </message>
    <message>
        <source>device memory used</source>
        <translation>已用设备内存</translation>
    </message>
    <message>
        <source>%1 (all processes)</source>
        <translation>%1（所有进程）</translation>
    </message>
    <message>
        <source>SM %1 MHz, memory %2 MHz</source>
        <translation>SM %1 MHz，内存 %2 MHz</translation>
    </message>
    <message>
        <source>%1 threads (all that this process may use); libtorch %2, OpenMP %3, OpenBLAS %4</source>
        <translation>%1 个线程（本进程可用的全部）；libtorch %2，OpenMP %3，OpenBLAS %4</translation>
    </message>
    <message>
        <source>%1 threads (all that this process may use); libtorch %2, OpenMP %3, no OpenBLAS</source>
        <translation>%1 个线程（本进程可用的全部）；libtorch %2，OpenMP %3，无 OpenBLAS</translation>
    </message>
    <message>
        <source>Another device.</source>
        <translation>另一台设备。</translation>
    </message>
    <message>
        <source>Clocks, temperature, power and throttling were not read: telemetry was switched off.</source>
        <translation>未读取频率、温度、功率与降频：遥测已关闭。</translation>
    </message>
    <message>
        <source>No step was timed, so nothing was read beside one.</source>
        <translation>没有计时的步，因此旁边没有读取任何量。</translation>
    </message>
    <message>
        <source>Clocks, temperature, power and throttling were not read: the device&apos;s driver told none of them.</source>
        <translation>未读取频率、温度、功率与降频：设备驱动没有给出。</translation>
    </message>
    <message>
        <source>Read beside %1 of %2 steps: %3. No step was throttled.</source>
        <translation>在 %2 步中的 %1 步旁读取：%3。没有步被降频。</translation>
    </message>
    <message>
        <source>Read beside %1 of %2 steps: %3. %4 of them throttled (%5): %6. They are marked, and counted in every median.</source>
        <translation>在 %2 步中的 %1 步旁读取：%3。其中 %4 步被降频（%5）：%6。它们有标记，并都计入中位数。</translation>
    </message>
    <message>
        <source>throttling alone</source>
        <translation>仅降频</translation>
    </message>
    <message>
        <source>SM clock %1</source>
        <translation>SM 频率 %1</translation>
    </message>
    <message>
        <source>memory clock %1</source>
        <translation>内存频率 %1</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>power %1</source>
        <translation>功率 %1</translation>
    </message>
    <message>
        <source>ceiling</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>nominal</source>
        <translation>标称</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>bandwidth, read only</source>
        <translation>带宽，只读</translation>
    </message>
    <message>
        <source>bandwidth, copy</source>
        <translation>带宽，复制</translation>
    </message>
    <message>
        <source>matrix products, %1</source>
        <translation>矩阵乘法，%1</translation>
    </message>
    <message>
        <source>dense, 2 m n k a product</source>
        <translation>稠密，每次乘法 2 m n k</translation>
    </message>
    <message>
        <source>fixed cost of a step as a graph</source>
        <translation>graph 一步的固定开销</translation>
    </message>
    <message>
        <source>fixed cost of a graph&apos;s node</source>
        <translation>graph 节点的固定开销</translation>
    </message>
    <message>
        <source>fixed cost of a launch</source>
        <translation>一次启动的固定开销</translation>
    </message>
    <message>
        <source>an empty kernel</source>
        <translation>一个空内核</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>%1, %2 layers</source>
        <translation>%1，%2 层</translation>
    </message>
    <message>
        <source>Measured on %1, driver %2, at %3, %4.</source>
        <translation>测于 %1，驱动 %2，%3，%4。</translation>
    </message>
    <message>
        <source>Measured on %1, driver %2, %3.</source>
        <translation>测于 %1，驱动 %2，%3。</translation>
    </message>
    <message>
        <source>Measured on %1, %2.</source>
        <translation>测于 %1，%2。</translation>
    </message>
    <message>
        <source>Measured on %1.</source>
        <translation>测于 %1。</translation>
    </message>
    <message>
        <source>The spread is (p90 - p10) / median of the samples. A copy counts the bytes that it reads and the bytes that it writes; decode reads, so the read-only figure is its ceiling.</source>
        <translation>离散度为样本的 (p90 - p10) / 中位数。复制计入所读与所写的字节；解码只读，因此只读的数值是它的上限。</translation>
    </message>
    <message>
        <source>item</source>
        <translation>项</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>with numbers</source>
        <translation>代入数字</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>because</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>traced</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>family</source>
        <translation>家族</translation>
    </message>
    <message>
        <source>family %1</source>
        <translation>家族 %1</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>slope</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>fixed cost</source>
        <translation>固定开销</translation>
    </message>
    <message>
        <source>fixed cost + weights</source>
        <translation>固定开销 + 权重</translation>
    </message>
    <message>
        <source>implied bandwidth</source>
        <translation>推出的带宽</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>读权重</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>by the line</source>
        <translation>按直线</translation>
    </message>
    <message>
        <source>right side</source>
        <translation>在正确一侧</translation>
    </message>
    <message>
        <source>largest that fits</source>
        <translation>放得下的最大</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>not tried</source>
        <translation>未尝试</translation>
    </message>
    <message>
        <source>greatest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>least</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>departure</source>
        <translation>偏离</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>step growth, measured</source>
        <translation>步时增长，实测</translation>
    </message>
    <message>
        <source>step growth, predicted</source>
        <translation>步时增长，预测</translation>
    </message>
    <message>
        <source>first departure over 5 %, measured</source>
        <translation>首次偏离超过 5 %，实测</translation>
    </message>
    <message>
        <source>first departure over 5 %, predicted</source>
        <translation>首次偏离超过 5 %，预测</translation>
    </message>
    <message>
        <source>measured/floor</source>
        <translation>实测/下限</translation>
    </message>
    <message>
        <source>measured/forecast</source>
        <translation>实测/预测</translation>
    </message>
    <message>
        <source>measured/predicted</source>
        <translation>实测/预测</translation>
    </message>
    <message>
        <source>measured tokens a second</source>
        <translation>实测每秒 token 数</translation>
    </message>
    <message>
        <source>memory time</source>
        <translation>访存时间</translation>
    </message>
    <message>
        <source>compute time</source>
        <translation>计算时间</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>weight bandwidth</source>
        <translation>权重带宽</translation>
    </message>
    <message>
        <source>KV bandwidth</source>
        <translation>KV 带宽</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>bytes of a step</source>
        <translation>一步的字节</translation>
    </message>
    <message>
        <source>FLOP of a step</source>
        <translation>一步的 FLOP</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>bound</source>
        <translation>受限</translation>
    </message>
    <message>
        <source>lost per step</source>
        <translation>每步损失</translation>
    </message>
    <message>
        <source>KV bytes explain</source>
        <translation>KV 字节可解释</translation>
    </message>
    <message>
        <source>compute explains</source>
        <translation>计算可解释</translation>
    </message>
    <message>
        <source>left to kernels</source>
        <translation>留给内核</translation>
    </message>
    <message>
        <source>throttled steps</source>
        <translation>被降频的步</translation>
    </message>
    <message>
        <source>of busy time</source>
        <translation>占忙碌时间</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>cannot tell</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>launch-bound</source>
        <translation>受启动限制</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新 token</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>b*, the batch that reaches the roof</source>
        <translation>b*，到达屋顶的 batch</translation>
    </message>
    <message>
        <source>arithmetic rate</source>
        <translation>计算速率</translation>
    </message>
    <message>
        <source>%1 of the measured %2</source>
        <translation>实测 %2 的 %1</translation>
    </message>
    <message>
        <source>above the measured %1</source>
        <translation>高于实测的 %1</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>batch %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>B, P and the overhead are the measured ones where they were measured.</source>
        <translation>凡测过的，B、P 与开销均取实测值。</translation>
    </message>
    <message>
        <source>B and P are the nominal ones: nothing was calibrated.</source>
        <translation>B 与 P 取标称值：没有校准。</translation>
    </message>
    <message>
        <source>Not measured: without a calibrated read bandwidth a step time says nothing about bytes. Run calibrate first.</source>
        <translation>未测：没有校准的读带宽，步时说明不了字节。请先运行校准。</translation>
    </message>
    <message>
        <source>Not measured: no point finished.</source>
        <translation>未测：没有完成的点。</translation>
    </message>
    <message>
        <source>No point finished.</source>
        <translation>没有完成的点。</translation>
    </message>
    <message>
        <source>No row finished.</source>
        <translation>没有完成的行。</translation>
    </message>
    <message>
        <source>The run ended before its result.</source>
        <translation>运行在得出结果前结束。</translation>
    </message>
    <message>
        <source>The time that a step lost against the smallest batch falls into shares; none is given where that time is not more than the width p10 to p90 of the two:</source>
        <translation>一步相对最小 batch 多用的时间分成几份；若这段时间不超过两者 p10 至 p90 的宽度，则不给出：</translation>
    </message>
    <message>
        <source>what the KV bytes explain: the additional b n kv over the read bandwidth;</source>
        <translation>KV 字节可解释的：多出的 b n kv 除以读带宽；</translation>
    </message>
    <message>
        <source>what compute explains: the time by which the arithmetic exceeds the bytes;</source>
        <translation>计算可解释的：算术超出字节的时间；</translation>
    </message>
    <message>
        <source>what memory capacity cut off: nothing in this sweep;</source>
        <translation>内存容量截去的：本次扫描没有；</translation>
    </message>
    <message>
        <source>what memory capacity cut off: %1 (not measured; the reasons stand in the table above);</source>
        <translation>内存容量截去的：%1（未测；原因见上表）；</translation>
    </message>
    <message>
        <source>batch %1 of prompt %2</source>
        <translation>prompt %2 的 batch %1</translation>
    </message>
    <message>
        <source>what is left to kernels: the rest, launches included. Below 0 % the KV bytes explain more than was lost.</source>
        <translation>留给内核的：其余部分，含启动。低于 0 % 表示 KV 字节可解释的多于损失。</translation>
    </message>
    <message>
        <source>Effective bytes are step time x measured read bandwidth; what they hold beyond W + b n kv is time that moved no bytes of the model.</source>
        <translation>有效字节为步时 x 实测读带宽；超出 W + b n kv 的部分是没有搬运模型字节的时间。</translation>
    </message>
    <message>
        <source>Memory and compute: what bytes and arithmetic alone would take of the step at the ceilings. Launch: what launches and the fixed cost of kernels take. The shares overlap and need not sum to 100 %.</source>
        <translation>访存与计算：在上限下字节与算术各自单独占该步的份额。启动：启动与内核固定开销所占。各份额有重叠，总和不必为 100 %。</translation>
    </message>
    <message>
        <source>The evidence at prompt %1, batch %2: %3</source>
        <translation>prompt %1、batch %2 的依据：%3</translation>
    </message>
    <message>
        <source>The evidence at the TPOT: %1</source>
        <translation>TPOT 的依据：%1</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一步：%1</translation>
    </message>
    <message>
        <source>Easily misread:</source>
        <translation>容易误读：</translation>
    </message>
    <message>
        <source>%1 (memory-bound)</source>
        <translation>%1（受内存限制）</translation>
    </message>
    <message>
        <source>%1 (compute-bound)</source>
        <translation>%1（受计算限制）</translation>
    </message>
    <message>
        <source>%1 (launch-bound)</source>
        <translation>%1（受启动限制）</translation>
    </message>
    <message>
        <source>%1 (mixed)</source>
        <translation>%1（混合）</translation>
    </message>
    <message>
        <source>Written down before the run; it entered no forecast.</source>
        <translation>在运行前写下；没有进入任何预测。</translation>
    </message>
    <message>
        <source>Least squares of the finished points on fixed cost, weight bytes, KV bytes and FLOP, each point by its relative error; a term that the points cannot tell from the others has no figure and says what to vary.</source>
        <translation>以固定开销、权重字节、KV 字节与 FLOP 对完成的点作最小二乘，每点按相对误差计；点无法与其他项区分的项没有数值，并说明应改变什么。</translation>
    </message>
    <message>
        <source>Linear is batch x tokens a second at the smallest measured batch; departure is 1 - tokens a second / linear. Measured / predicted of 0.9 to 1.3 says that the model holds.</source>
        <translation>线性为 batch x 最小实测 batch 的每秒 token 数；偏离为 1 - 每秒 token 数 / 线性。实测 / 预测在 0.9 至 1.3 之间说明模型成立。</translation>
    </message>
    <message>
        <source>The host gap is wall less device time, the median of the steps: the time in which the device had not begun or was already done while the host launched and waited.</source>
        <translation>主机间隙为墙钟时间减设备时间，取各步的中位数：主机启动和等待时设备尚未开始或已经结束的时间。</translation>
    </message>
    <message>
        <source>Every timed step is waited for, and a run of steps that follow one another without a wait shows what that costs: from %1 back to back to %2 back to back.</source>
        <translation>每个计时的步都被等待；连续执行而不等待的一串步说明这要付出多少：从 %1 到 %2。</translation>
    </message>
    <message>
        <source>Every timed step is waited for, and a run of steps that follow one another without a wait shows what that costs: %1 back to back.</source>
        <translation>每个计时的步都被等待；连续执行而不等待的一串步说明这要付出多少：%1。</translation>
    </message>
    <message>
        <source>Stepped figures are medians by the host&apos;s clock; a cost below zero is within what the two differ by from run to run.</source>
        <translation>逐步的数值是主机时钟的中位数；低于零的代价在两者逐次运行的差异之内。</translation>
    </message>
    <message>
        <source>%1 of %2 (%3) at batch %4, prompt %5, where the step takes %6</source>
        <translation>batch %4、prompt %5 时 %2 中的 %1（%3），此时连续执行的一步用时 %6</translation>
    </message>
    <message>
        <source>Attention: %1.</source>
        <translation>注意力：%1。</translation>
    </message>
    <message>
        <source>TPOT is the median of the repeats. By the line: slope x weights + fixed cost, through all rows. Reading weights: the share of that which is slope x weights.</source>
        <translation>TPOT 为各次重复的中位数。按直线：斜率 x 权重 + 固定开销，过所有行。读权重：其中斜率 x 权重所占的份额。</translation>
    </message>
    <message>
        <source>These rows were imported: another program measured them.</source>
        <translation>这些行是导入的：由另一个程序测得。</translation>
    </message>
    <message>
        <source>One decode step in mode %1, batch %2, context %3.</source>
        <translation>模式 %1、batch %2、上下文 %3 的一个解码步。</translation>
    </message>
    <message>
        <source>Each chart shows the newest run that has what it draws, not all of them; the throughput also the newest sweeps in other modes of the same case. The sections above have every run.</source>
        <translation>每张图显示含有其所绘内容的最新运行，而不是全部；吞吐图还显示同一情形其他模式的最新扫描。上面各节包含每次运行。</translation>
    </message>
    <message>
        <source>Long texts are cut above, where it says so; session.json holds them whole.</source>
        <translation>上面过长的文字在注明处被截断；session.json 保留全文。</translation>
    </message>
    <message>
        <source>W: weight bytes that a step reads. kv: KV-cache bytes a token. b: batch. n: context, the tokens in the cache. N: parameters. B: memory bandwidth. P: arithmetic rate. AI: arithmetic intensity, FLOP / bytes. Ridge: P / B. TTFT: time to the first token. TPOT: time of one further token, one decode step. Floor: max(bytes / B, FLOP / P). Units are decimal: 1 GB = 1e9 B. &apos;-&apos; is a value that was not measured.</source>
        <translation>W：一步所读的权重字节。kv：每 token 的 KV cache 字节。b：batch。n：上下文，即 cache 中的 token 数。N：参数。B：内存带宽。P：计算速率。AI：算术强度，FLOP / 字节。拐点：P / B。TTFT：首个 token 的时间。TPOT：其后每个 token 的时间，即一个解码步。下限：max(字节 / B, FLOP / P)。单位为十进制：1 GB = 1e9 B。“-”为未测的值。</translation>
    </message>
    <message>
        <source>batch %1, prompt %2: skipped, %3</source>
        <translation>batch %1，prompt %2：已跳过，%3</translation>
    </message>
    <message>
        <source>batch %1, prompt %2: oom, %3</source>
        <translation>batch %1，prompt %2：内存不足，%3</translation>
    </message>
    <message>
        <source>batch %1, prompt %2: failed, %3</source>
        <translation>batch %1，prompt %2：失败，%3</translation>
    </message>
    <message>
        <source>%1 (%2 threads (all that this process may use); libtorch %3, OpenMP %4, OpenBLAS %5)</source>
        <translation>%1（%2 个线程（本进程可用的全部）；libtorch %3，OpenMP %4，OpenBLAS %5）</translation>
    </message>
    <message>
        <source>%1 (%2 threads (all that this process may use); libtorch %3, OpenMP %4, no OpenBLAS)</source>
        <translation>%1（%2 个线程（本进程可用的全部）；libtorch %3，OpenMP %4，无 OpenBLAS）</translation>
    </message>
    <message>
        <source>batch %1, prompt %2: %3</source>
        <translation>batch %1，prompt %2：%3</translation>
    </message>
    <message>
        <source>The prompt:</source>
        <translation>prompt：</translation>
    </message>
    <message>
        <source>The generated text (greedy, first sequence):</source>
        <translation>生成的文字（贪心，第一个序列）：</translation>
    </message>
    <message>
        <source>Prompt %1: first departure over 5 % at: measured batch %2, forecast batch %3, floor batch %4. The arithmetic never overtakes the bytes: AI_max %5 &lt; measured ridge %6.</source>
        <translation>prompt %1：首次偏离超过 5 %：实测 batch %2，预测 batch %3，下限 batch %4。算术永不超过字节：AI_max %5 &lt; 实测拐点 %6。</translation>
    </message>
    <message>
        <source>Prompt %1: first departure over 5 % at: measured batch %2, forecast batch %3, floor batch %4. The arithmetic never overtakes the bytes: AI_max %5 &lt; measured ridge %6. Memory cut off batch %7.</source>
        <translation>prompt %1：首次偏离超过 5 %：实测 batch %2，预测 batch %3，下限 batch %4。算术永不超过字节：AI_max %5 &lt; 实测拐点 %6。内存截去 batch %7。</translation>
    </message>
    <message>
        <source>Prompt %1: first departure over 5 % at: measured batch %2, forecast batch %3, floor batch %4. The arithmetic overtakes the bytes at batch %5 (AI_max %6, measured ridge %7).</source>
        <translation>prompt %1：首次偏离超过 5 %：实测 batch %2，预测 batch %3，下限 batch %4。算术在 batch %5 超过字节（AI_max %6，实测拐点 %7）。</translation>
    </message>
    <message>
        <source>Prompt %1: first departure over 5 % at: measured batch %2, forecast batch %3, floor batch %4. The arithmetic overtakes the bytes at batch %5 (AI_max %6, measured ridge %7). Memory cut off batch %8.</source>
        <translation>prompt %1：首次偏离超过 5 %：实测 batch %2，预测 batch %3，下限 batch %4。算术在 batch %5 超过字节（AI_max %6，实测拐点 %7）。内存截去 batch %8。</translation>
    </message>
    <message>
        <source>%1 of %2 tried points lie on the right side of the frontier.</source>
        <translation>尝试过的 %2 个点中有 %1 个落在边界的正确一侧。</translation>
    </message>
    <message>
        <source>Weights, KV cache and workspace against %1 less %2 for the runtime and others; this file does not say what the run could use, so the edge is near rather than exact.</source>
        <translation>权重、KV cache 与工作区，对照 %1 减去运行时等占用的 %2；此文件没有说明该运行可用多少，因此边界是近似的。</translation>
    </message>
    <message>
        <source>Weights, KV cache and workspace against the %1 that the run could use when it began.</source>
        <translation>权重、KV cache 与工作区，对照运行开始时可用的 %1。</translation>
    </message>
    <message>
        <source>R^2 %1; the greatest residual is %2 of its step (%3).</source>
        <translation>R^2 %1；最大残差为该步的 %2（%3）。</translation>
    </message>
    <message>
        <source>(memory-bound)</source>
        <translation>（受内存限制）</translation>
    </message>
    <message>
        <source>(compute-bound)</source>
        <translation>（受计算限制）</translation>
    </message>
    <message>
        <source>(launch-bound)</source>
        <translation>（受启动限制）</translation>
    </message>
    <message>
        <source>(mixed)</source>
        <translation>（混合）</translation>
    </message>
    <message>
        <source>Memory cut off batch %1.</source>
        <translation>内存截去 batch %1。</translation>
    </message>
    <message>
        <source>its steps differ by %1 from p10 to p90, more than the 20 % that are normal.</source>
        <translation>其各步从 p10 到 p90 相差 %1，超过正常的 20 %。</translation>
    </message>
    <message>
        <source>launches and the fixed cost of kernels take %1 of the step, the bytes alone would take %2.</source>
        <translation>启动与内核固定开销占该步的 %1，仅字节需占 %2。</translation>
    </message>
    <message>
        <source>the bytes alone would take %1 of the step, launches and the fixed cost of kernels %2.</source>
        <translation>仅字节需占该步的 %1，启动与内核固定开销 %2。</translation>
    </message>
    <message>
        <source>the arithmetic alone would take %1 of the step, launches and the fixed cost of kernels %2.</source>
        <translation>仅算术需占该步的 %1，启动与内核固定开销 %2。</translation>
    </message>
    <message>
        <source>the bytes alone would take %1 of the step, the arithmetic %2.</source>
        <translation>仅字节需占该步的 %1，算术 %2。</translation>
    </message>
    <message>
        <source>the bytes alone would take %1 of the step and the arithmetic %2.</source>
        <translation>仅字节需占该步的 %1，算术 %2。</translation>
    </message>
    <message>
        <source>the arithmetic alone would take %1 of the step, the bytes %2.</source>
        <translation>仅算术需占该步的 %1，字节 %2。</translation>
    </message>
    <message>
        <source>the floor is %1 of the step, and nothing that was measured says where the rest goes.</source>
        <translation>下限占该步的 %1，其余去向没有实测可说明。</translation>
    </message>
    <message>
        <source>neither bytes (%1 of the step) nor arithmetic (%2) nor launches (%3) explain it; its kernels stay below both roofs.</source>
        <translation>字节（占该步的 %1）、算术（%2）、启动（%3）都不能解释；其内核低于两个屋顶。</translation>
    </message>
    <message>
        <source>the point has no step time.</source>
        <translation>该点没有步时。</translation>
    </message>
    <message>
        <source>no ceilings are known that the step could be held against.</source>
        <translation>没有已知的上限可与该步对照。</translation>
    </message>
    <message>
        <source>The prompt is taken as ctx - 30: the script&apos;s 10 warm-up steps and half of its 40 timed ones.</source>
        <translation>prompt 取为 ctx - 30：脚本的 10 个预热步和 40 个计时步的一半。</translation>
    </message>
    <message>
        <source>%1 tests were of prompt processing (pp, pg) left out: only generation (tg) times decode steps alone.</source>
        <translation>略去 %1 项 prompt 处理（pp、pg）测试：只有生成（tg）单独计时解码步。</translation>
    </message>
    <message>
        <source>%1 test was of prompt processing (pp, pg) left out: only generation (tg) times decode steps alone.</source>
        <translation>略去 %1 项 prompt 处理（pp、pg）测试：只有生成（tg）单独计时解码步。</translation>
    </message>
    <message>
        <source>The sequences share one prompt (-pps): the floor counts its cache once for each of them, and can lie above what such a step must read.</source>
        <translation>各序列共用一个 prompt（-pps）：下限为每个序列各计一次其 cache，可能高于这样一步必须读取的量。</translation>
    </message>
    <message>
        <source>No limit of concurrency is given: the batch is output tokens/s x TPOT, the sequences that decode at once on average.</source>
        <translation>没有给出并发上限：batch 取输出 token/s x TPOT，即平均同时解码的序列数。</translation>
    </message>
    <message>
        <source>The batch is the limit of concurrency: the server may have decoded fewer sequences at once.</source>
        <translation>batch 为并发上限：服务器同时解码的序列可能更少。</translation>
    </message>
    <message>
        <source>The batch is what was given (--batch, max_num_seqs): the engine batches as requests come and go.</source>
        <translation>batch 为所给的值（--batch、max_num_seqs）：引擎随请求来去而组批。</translation>
    </message>
    <message>
        <source>The time is that of whole requests, so that TPOT has the prefill in it and lies above a decode step.</source>
        <translation>时间为整个请求的时间，因此 TPOT 含预填充，高于一个解码步。</translation>
    </message>
    <message>
        <source>%1 is missing or no number; the row was left out.</source>
        <translation>%1 缺失或不是数；该行被略去。</translation>
    </message>
    <message>
        <source>%1 is missing or no number (NaN or Infinity stands in %2); the row was left out.</source>
        <translation>%1 缺失或不是数（%2 中是 NaN 或 Infinity）；该行被略去。</translation>
    </message>
    <message>
        <source>%1 is %2, outside %3; the row was left out.</source>
        <translation>%1 为 %2，超出 %3；该行被略去。</translation>
    </message>
    <message>
        <source>%1 is too large to be a number; the row was left out.</source>
        <translation>%1 太大，不是数；该行被略去。</translation>
    </message>
    <message>
        <source>the batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>more than %1 rows; this row and all after it were left out.</source>
        <translation>超过 %1 行；该行及其后各行被略去。</translation>
    </message>
    <message>
        <source>more than %1 rows; the row was left out.</source>
        <translation>超过 %1 行；该行被略去。</translation>
    </message>
    <message>
        <source>%1 fields where the header names %2; the row was left out.</source>
        <translation>有 %1 个字段，而表头有 %2 个；该行被略去。</translation>
    </message>
    <message>
        <source>%1 cells where the header names %2; the row was left out.</source>
        <translation>有 %1 格，而表头有 %2 个；该行被略去。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number; the row was left out.</source>
        <translation>“%1”不是数；该行被略去。</translation>
    </message>
    <message>
        <source>n_prompt or n_gen is no number; the row was left out.</source>
        <translation>n_prompt 或 n_gen 不是数；该行被略去。</translation>
    </message>
    <message>
        <source>tg is not above zero, so that nothing was generated; the row was left out.</source>
        <translation>tg 不大于零，因此没有生成；该行被略去。</translation>
    </message>
    <message>
        <source>the generated tokens are not above zero; the row was left out.</source>
        <translation>生成的 token 数不大于零；该行被略去。</translation>
    </message>
    <message>
        <source>max_new_tokens is below 2, so that no decode step was timed; the row was left out.</source>
        <translation>max_new_tokens 小于 2，因此没有计时的解码步；该行被略去。</translation>
    </message>
    <message>
        <source>its status is &apos;%1&apos;, so that it has no time; the row was left out.</source>
        <translation>其状态为“%1”，因此没有时间；该行被略去。</translation>
    </message>
    <message>
        <source>its tokens per second are not above zero; the row was left out.</source>
        <translation>其每秒 token 数不大于零；该行被略去。</translation>
    </message>
    <message>
        <source>Line %1 has NaN or Infinity in %2, which is no number: it counts as not given.</source>
        <translation>第 %1 行的 %2 是 NaN 或 Infinity，不是数：按未给出计。</translation>
    </message>
    <message>
        <source>Line %1 has NaN or Infinity in %2, which is no number, and so have %3 more: it counts as not given.</source>
        <translation>第 %1 行的 %2 是 NaN 或 Infinity，不是数，另有 %3 行也是：按未给出计。</translation>
    </message>
    <message>
        <source>Ask the program that wrote it why.</source>
        <translation>请查明写出它的程序为何如此。</translation>
    </message>
    <message>
        <source>The session file &apos;%1&apos; is no session of this program: those begin with &apos;{&apos;.</source>
        <translation>会话文件“%1”不是本程序的会话：会话以“{”开头。</translation>
    </message>
    <message>
        <source>Open another file; results of other programs are imported (ridgepoint import).</source>
        <translation>请打开其他文件；其他程序的结果用导入（ridgepoint import）。</translation>
    </message>
    <message>
        <source>%1 has %2 at byte %3; JSON has no such number. Write null for what was not measured.</source>
        <translation>%1 在第 %3 字节处有 %2；JSON 没有这样的数。未测的量请写 null。</translation>
    </message>
    <message>
        <source>%1 has %2 at byte %3, in &apos;%4&apos;; JSON has no such number. Write null for what was not measured.</source>
        <translation>%1 在第 %3 字节处的“%4”中有 %2；JSON 没有这样的数。未测的量请写 null。</translation>
    </message>
    <message>
        <source>%1 nests values more than %2 deep, which no file of this program does. It is damaged or not a session; open another file.</source>
        <translation>%1 的嵌套超过 %2 层，本程序的文件不会如此。它已损坏或不是会话；请打开其他文件。</translation>
    </message>
    <message>
        <source>%1 holds a text of over %2 bytes from byte %3 on, more than this program opens. Use an undamaged copy.</source>
        <translation>%1 从第 %3 字节起有超过 %2 字节的文字，多于本程序所能打开的。请使用未损坏的副本。</translation>
    </message>
    <message>
        <source>%1 is not JSON: from byte %2 on stands a number of over %3 digits. Use an undamaged copy.</source>
        <translation>%1 不是 JSON：从第 %2 字节起是一个超过 %3 位的数。请使用未损坏的副本。</translation>
    </message>
    <message>
        <source>does not hold together (%1)</source>
        <translation>前后不一致（%1）</translation>
    </message>
    <message>
        <source>Settings: %1.</source>
        <translation>设置：%1。</translation>
    </message>
    <message>
        <source>The file says %1 parameters and %2 has %3: another model may have been measured.</source>
        <translation>文件说有 %1 个参数，而 %2 有 %3 个：测的可能是另一个模型。</translation>
    </message>
    <message>
        <source>The model is not known from the file: name it by --model (see ridgepoint models) to have the floor.</source>
        <translation>从文件无法得知模型：用 --model 指明（见 ridgepoint models），才有下限。</translation>
    </message>
    <message>
        <source>The model (&apos;%1&apos;) is not known from the file: name it by --model (see ridgepoint models) to have the floor.</source>
        <translation>从文件无法得知模型（“%1”）：用 --model 指明（见 ridgepoint models），才有下限。</translation>
    </message>
    <message>
        <source>model not told</source>
        <translation>未说明的模型</translation>
    </message>
    <message>
        <source>The file does not say the dtype; fp16 is assumed (--dtype).</source>
        <translation>文件没有说明 dtype；按 fp16 计（--dtype）。</translation>
    </message>
    <message>
        <source>Weights: the file&apos;s size of the model, less the part of an embedding that a step only looks up; arithmetic at the fp16 rate.</source>
        <translation>权重：模型文件的大小，减去一步只查表的嵌入部分；算术按 fp16 速率。</translation>
    </message>
    <message>
        <source>The bytes of weights in &apos;%1&apos; are not known; the floor counts fp16 (--dtype).</source>
        <translation>“%1”的权重字节未知；下限按 fp16 计（--dtype）。</translation>
    </message>
    <message>
        <source>Several devices shared the model: no one profile&apos;s floor holds for it.</source>
        <translation>多台设备共用该模型：没有哪个规格的下限适用。</translation>
    </message>
    <message>
        <source>The device is not known from the file: name its profile by --device-profile (see ridgepoint hardware) to have the floor.</source>
        <translation>从文件无法得知设备：用 --device-profile 指明其规格（见 ridgepoint hardware），才有下限。</translation>
    </message>
    <message>
        <source>The device (&apos;%1&apos;) is not known from the file: name its profile by --device-profile (see ridgepoint hardware) to have the floor.</source>
        <translation>从文件无法得知设备（“%1”）：用 --device-profile 指明其规格（见 ridgepoint hardware），才有下限。</translation>
    </message>
    <message>
        <source>Slower or faster: Mann-Whitney U below %1 % and medians that differ by %2 % or more.</source>
        <translation>更慢或更快：Mann-Whitney U 检验低于 %1 % 且中位数相差 %2 % 及以上。</translation>
    </message>
    <message>
        <source>The contexts differ (%1 and %2 tokens): these are not the same step.</source>
        <translation>上下文不同（%1 与 %2 个 token）：不是同一种步。</translation>
    </message>
    <message>
        <source>The medians differ by %1, less than %2.</source>
        <translation>中位数相差 %1，小于 %2。</translation>
    </message>
    <message>
        <source>The medians differ by %1, p = %2.</source>
        <translation>中位数相差 %1，p = %2。</translation>
    </message>
    <message>
        <source>The medians differ by %1, but the samples do not bear it out (p = %2).</source>
        <translation>中位数相差 %1，但样本不足以证实（p = %2）。</translation>
    </message>
    <message>
        <source>Too few samples to test; the figures differ by %1, beyond the spread that is given.</source>
        <translation>样本太少，无法检验；数值相差 %1，超出给出的离散范围。</translation>
    </message>
    <message>
        <source>Too few samples to test (%1 and %2); the figures differ by %3, not beyond the spread that is given.</source>
        <translation>样本太少，无法检验（%1 与 %2 个）；数值相差 %3，未超出给出的离散范围。</translation>
    </message>
    <message>
        <source>Too few samples to test (%1 and %2); the figures differ by %3 and no spread is given.</source>
        <translation>样本太少，无法检验（%1 与 %2 个）；数值相差 %3，且未给出离散范围。</translation>
    </message>
    <message>
        <source>On different devices: %1, %2.</source>
        <translation>设备不同：%1、%2。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number (write a point before the decimals, not a comma); the row was left out.</source>
        <translation>“%1”不是数字（小数点请用点号，不用逗号）；该行已略去。</translation>
    </message>
    <message>
        <source>%1 fields where the header names %2 (a comma before decimals looks like a further field: write a point); the row was left out.</source>
        <translation>有 %1 个字段，而表头有 %2 个（小数的逗号会被当作分隔符：请用点号）；该行已略去。</translation>
    </message>
    <message>
        <source>the batch is missing or no number; the row was left out.</source>
        <translation>缺少 batch 或它不是数字；该行已略去。</translation>
    </message>
    <message>
        <source>the prompt is missing or no number; the row was left out.</source>
        <translation>缺少 prompt 或它不是数字；该行已略去。</translation>
    </message>
    <message>
        <source>the context is missing or no number; the row was left out.</source>
        <translation>缺少上下文或它不是数字；该行已略去。</translation>
    </message>
    <message>
        <source>the time of a step in seconds is missing or no number; the row was left out.</source>
        <translation>缺少每步时间或它不是数字；该行已略去。</translation>
    </message>
    <message>
        <source>the batch is %1, outside whole numbers; the row was left out.</source>
        <translation>batch 为 %1，不是整数；该行已略去。</translation>
    </message>
    <message>
        <source>the batch is %1, outside 1 to 1,000,000; the row was left out.</source>
        <translation>batch 为 %1，不在 1 至 1,000,000 之间；该行已略去。</translation>
    </message>
    <message>
        <source>the prompt is %1, outside 0 to 100,000,000 tokens; the row was left out.</source>
        <translation>prompt 为 %1，不在 0 至 100,000,000 个 token 之间；该行已略去。</translation>
    </message>
    <message>
        <source>the context is %1, outside what is above zero, up to 100,000,000 tokens; the row was left out.</source>
        <translation>上下文为 %1，应大于零且不超过 100,000,000 个 token；该行已略去。</translation>
    </message>
    <message>
        <source>the time of a step in seconds is %1, outside what is above zero, up to a day; the row was left out.</source>
        <translation>每步时间为 %1 秒，应大于零且不超过一天；该行已略去。</translation>
    </message>
    <message>
        <source>the peak memory in bytes is %1, outside what a device can have; the row was left out.</source>
        <translation>峰值内存为 %1 字节，超出设备可能的范围；该行已略去。</translation>
    </message>
    <message>
        <source>The file size limit of this process or file system was reached; choose another folder.</source>
        <translation>已达到此进程或文件系统的文件大小上限；请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The symbolic links lead in a circle; choose another path.</source>
        <translation>符号链接构成循环；请选择其他路径。</translation>
    </message>
    <message>
        <source>Could not write &quot;%1&quot;: the path names no file. Give a file name.</source>
        <translation>无法写入“%1”：该路径没有文件名。请给出文件名。</translation>
    </message>
    <message>
        <source>Could not read &quot;%1&quot;: it is a %2, not a file. Name a file that is stored on a disk.</source>
        <translation>无法读取“%1”：它是%2，不是文件。请指定磁盘上的文件。</translation>
    </message>
    <message>
        <source>named pipe</source>
        <translation>命名管道</translation>
    </message>
    <message>
        <source>socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Could not read &quot;%1&quot;: it is larger than %2 bytes, the most that is read of such a file. Check that it is the right file.</source>
        <translation>无法读取“%1”：它大于 %2 字节，而此类文件最多读取这么多。请检查是否选对了文件。</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>无法分配内存</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>资源暂时不可用</translation>
    </message>
    <message>
        <source>The session file &apos;%1&apos;</source>
        <translation>会话文件“%1”</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos;</source>
        <translation>日志“%1”</translation>
    </message>
    <message>
        <source>The table &apos;%1&apos;</source>
        <translation>表格“%1”</translation>
    </message>
    <message>
        <source>The file &apos;%1&apos;</source>
        <translation>文件“%1”</translation>
    </message>
    <message>
        <source>The measured profile &apos;%1&apos;</source>
        <translation>实测配置“%1”</translation>
    </message>
    <message>
        <source>The model shape &quot;%1&quot;</source>
        <translation>模型形状“%1”</translation>
    </message>
    <message>
        <source>The model shape</source>
        <translation>模型形状</translation>
    </message>
    <message>
        <source>the record</source>
        <translation>该记录</translation>
    </message>
    <message>
        <source>The %1 must be a finite number above zero; %2 was given.</source>
        <translation>%1必须是大于零的有限数；给出的是 %2。</translation>
    </message>
    <message>
        <source>The %1 must be a finite number, zero or above; %2 was given.</source>
        <translation>%1必须是不小于零的有限数；给出的是 %2。</translation>
    </message>
    <message>
        <source>memory bandwidth (B/s)</source>
        <translation>内存带宽（B/s）</translation>
    </message>
    <message>
        <source>peak arithmetic rate (FLOP/s)</source>
        <translation>峰值计算速率（FLOP/s）</translation>
    </message>
    <message>
        <source>overhead of a step (s)</source>
        <translation>每步开销（s）</translation>
    </message>
    <message>
        <source>number of parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>weight bytes</source>
        <translation>权重字节数</translation>
    </message>
    <message>
        <source>KV bytes per token</source>
        <translation>每 token 的 KV 字节数</translation>
    </message>
    <message>
        <source>context (tokens)</source>
        <translation>上下文（token）</translation>
    </message>
    <message>
        <source>prompt (tokens)</source>
        <translation>提示（token）</translation>
    </message>
    <message>
        <source>ridge (FLOP/B)</source>
        <translation>拐点（FLOP/B）</translation>
    </message>
    <message>
        <source>memory (B)</source>
        <translation>内存（B）</translation>
    </message>
    <message>
        <source>workspace (B)</source>
        <translation>工作空间（B）</translation>
    </message>
    <message>
        <source>smallest batch</source>
        <translation>最小 batch</translation>
    </message>
    <message>
        <source>A step of batch %1 at context %2 is beyond what can be computed; choose smaller numbers.</source>
        <translation>batch %1、上下文 %2 的一步超出了可计算的范围；请选择更小的数。</translation>
    </message>
    <message>
        <source>A prefill of batch %1 and %2 tokens is beyond what can be computed; choose smaller numbers.</source>
        <translation>batch %1、%2 个 token 的预填充超出了可计算的范围；请选择更小的数。</translation>
    </message>
    <message>
        <source>The ratio of measured time to floor is not a finite number, so it has no band; measure the point first.</source>
        <translation>实测时间与下限之比不是有限数，因此没有区间；请先测量该点。</translation>
    </message>
    <message>
        <source>weights %1 + KV %2 x %3 x %4 = %5 + workspace %6 = %7 &gt; %8, %9.</source>
        <translation>权重 %1 + KV %2 x %3 x %4 = %5 + 工作空间 %6 = %7 &gt; %8，%9。</translation>
    </message>
    <message>
        <source>the memory limit of the run</source>
        <translation>即本次运行的内存上限</translation>
    </message>
    <message>
        <source>what %1 has free</source>
        <translation>即 %1 的可用内存</translation>
    </message>
    <message>
        <source>%1 has %2 = %3; give a number above zero.</source>
        <translation>%1的 %2 = %3；请给出大于零的数。</translation>
    </message>
    <message>
        <source>%1 has %2 heads, which its %3 kv heads do not divide; give a kv head count that does.</source>
        <translation>%1有 %2 个头，不能被其 %3 个 KV 头整除；请给出能整除它的 KV 头数。</translation>
    </message>
    <message>
        <source>%1 has %2 norms a layer; give zero or more.</source>
        <translation>%1每层有 %2 个归一化；请给出零或更大的数。</translation>
    </message>
    <message>
        <source>%1 has a sliding window of %2 tokens; give zero (no window) or more.</source>
        <translation>%1的滑动窗口为 %2 个 token；请给出零（无窗口）或更大的数。</translation>
    </message>
    <message>
        <source>%1 has %2 layers but a sliding pattern of %3 entries; give one entry a layer.</source>
        <translation>%1有 %2 层，但滑动模式有 %3 项；请每层给出一项。</translation>
    </message>
    <message>
        <source>%1 has %2 layers, none of them with number %3; count from zero.</source>
        <translation>%1有 %2 层，没有编号为 %3 的层；编号从零开始。</translation>
    </message>
    <message>
        <source>A line needs as many y values as x values; %1 x and %2 y were given.</source>
        <translation>拟合直线需要同样多的 x 与 y；给出了 %1 个 x 和 %2 个 y。</translation>
    </message>
    <message>
        <source>A line cannot be fitted through missing or infinite values; leave those rows out.</source>
        <translation>直线不能经过缺失或无穷的值；请去掉这些行。</translation>
    </message>
    <message>
        <source>A line needs at least two rows with different x; add a row.</source>
        <translation>拟合直线至少需要两行不同的 x；请增加一行。</translation>
    </message>
    <message>
        <source>The values are too large or too close together for a line; check their units.</source>
        <translation>这些值过大或彼此过近，无法拟合直线；请检查单位。</translation>
    </message>
    <message>
        <source>A percentile is a fraction from 0 to 1; %1 was given.</source>
        <translation>百分位是 0 到 1 的分数；给出的是 %1。</translation>
    </message>
    <message>
        <source>The row of &apos;%1&apos; has %2 bytes of weights and a TPOT of %3 s; both must be finite numbers above zero. Leave the row out.</source>
        <translation>“%1”一行的权重为 %2 字节，TPOT 为 %3 s；两者都必须是大于零的有限数。请去掉该行。</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>未说明原因</translation>
    </message>
    <message>
        <source>The engine module %1 that RIDGEPOINT_ENGINE names is not a file: correct the variable, or unset it to use the engine that belongs to this program.</source>
        <translation>RIDGEPOINT_ENGINE 所指的引擎模块 %1 不是文件：请更正该变量，或取消设置以使用本程序自带的引擎。</translation>
    </message>
    <message>
        <source>The engine module %1 is built for CUDA and could not be loaded: %2. A libtorch for the CPU alone does not bring that library: put the folders of the libtorch with CUDA that it was built against into LD_LIBRARY_PATH (of a Python torch: torch/lib and nvidia/*/lib), or build the engine again without CUDA.</source>
        <translation>引擎模块 %1 为 CUDA 构建，无法加载：%2。仅支持 CPU 的 libtorch 不带该库：请将构建时所用的带 CUDA 的 libtorch 的文件夹加入 LD_LIBRARY_PATH（Python torch 为 torch/lib 与 nvidia/*/lib），或重新构建不带 CUDA 的引擎。</translation>
    </message>
    <message>
        <source>%1 is a library but no engine of this program: it does not export ridgepoint_engine_abi and ridgepoint_engine_create. Build the target ridgepoint-engine and use its %2.</source>
        <translation>%1 是库，但不是本程序的引擎：它没有导出 ridgepoint_engine_abi 与 ridgepoint_engine_create。请构建目标 ridgepoint-engine 并使用其 %2。</translation>
    </message>
    <message>
        <source>The engine module %1 has interface version %2, this program needs %3: they come from different builds. Build or install both from the same source.</source>
        <translation>引擎模块 %1 的接口版本为 %2，而本程序需要 %3：二者来自不同的构建。请用同一份源代码构建或安装两者。</translation>
    </message>
    <message>
        <source>The engine module %1 loaded but could not start: too little memory is free. Close other programs and try again.</source>
        <translation>引擎模块 %1 已加载但无法启动：可用内存太少。请关闭其他程序后重试。</translation>
    </message>
    <message>
        <source>Recording: %1, step %2 of %3</source>
        <translation>记录：%1，第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <source>The session file &apos;%1&apos; is no session of this program: those begin with &apos;{&apos;. Open another file; results of other programs are imported (ridgepoint import).</source>
        <translation>会话文件“%1”不是本程序的会话：会话以“{”开头。请打开其他文件；其他程序的结果可以导入（ridgepoint import）。</translation>
    </message>
    <message>
        <source>%1 holds more than %2 values, more than this program opens. Split the runs over several sessions.</source>
        <translation>%1含有超过 %2 个值，多于本程序所能打开的数量。请将运行分到多个会话中。</translation>
    </message>
    <message>
        <source>holds &apos;%1&apos;, which is not a name that this program knows</source>
        <translation>为“%1”，不是本程序认识的名称</translation>
    </message>
    <message>
        <source>has %1 entries where &apos;context&apos; has %2</source>
        <translation>有 %1 项，而“context”有 %2 项</translation>
    </message>
    <message>
        <source>has %1 entries where the model has %2 layers</source>
        <translation>有 %1 项，而模型有 %2 层</translation>
    </message>
    <message>
        <source>must hold three numbers</source>
        <translation>必须含有三个数</translation>
    </message>
    <message>
        <source>must be an object, not %1</source>
        <translation>必须是对象，而不是 %1</translation>
    </message>
    <message>
        <source>must be an object</source>
        <translation>必须是对象</translation>
    </message>
    <message>
        <source>must be an array, not %1</source>
        <translation>必须是数组，而不是 %1</translation>
    </message>
    <message>
        <source>must be text, not %1</source>
        <translation>必须是文本，而不是 %1</translation>
    </message>
    <message>
        <source>must be a whole number, not %1</source>
        <translation>必须是整数，而不是%1</translation>
    </message>
    <message>
        <source>a fraction</source>
        <translation>小数</translation>
    </message>
    <message>
        <source>must be a whole number that is not negative</source>
        <translation>必须是非负整数</translation>
    </message>
    <message>
        <source>is %1, outside %2 to %3</source>
        <translation>为 %1，不在 %2 至 %3 之间</translation>
    </message>
    <message>
        <source>is %1, and below zero</source>
        <translation>为 %1，小于零</translation>
    </message>
    <message>
        <source>must be a number or null, not %1</source>
        <translation>必须是数或 null，而不是 %1</translation>
    </message>
    <message>
        <source>is %1, more than anything that can be measured</source>
        <translation>为 %1，大于一切可测量的值</translation>
    </message>
    <message>
        <source>is 0; what was measured is above zero, and null stands for what was not</source>
        <translation>为 0；测得的值大于零，未测的值写作 null</translation>
    </message>
    <message>
        <source>is null where a number must stand</source>
        <translation>为 null，而此处必须是数</translation>
    </message>
    <message>
        <source>must be true or false, not %1</source>
        <translation>必须是 true 或 false，而不是 %1</translation>
    </message>
    <message>
        <source>has a value, but there is no kernel that was traced</source>
        <translation>有值，但没有被跟踪的内核</translation>
    </message>
    <message>
        <source>begins before the one ahead of it; kernels stand in the order in which they began</source>
        <translation>早于其前一个开始；内核应按开始的先后排列</translation>
    </message>
    <message>
        <source>is %1, but from the first kernel&apos;s start to the last one&apos;s end it is %2 s</source>
        <translation>为 %1，但从第一个内核开始到最后一个内核结束为 %2 s</translation>
    </message>
    <message>
        <source>is %1, but the kernels are busy for %2 s</source>
        <translation>为 %1，但内核忙碌了 %2 s</translation>
    </message>
    <message>
        <source>is %1; a step has one sequence at least</source>
        <translation>为 %1；一步至少有一个序列</translation>
    </message>
    <message>
        <source>names &apos;%1&apos;, which stands there already</source>
        <translation>给出了“%1”，而它已经存在</translation>
    </message>
    <message>
        <source>must hold six figures</source>
        <translation>必须含有六个数</translation>
    </message>
    <message>
        <source>has no list of names to refer to</source>
        <translation>没有可供引用的名称列表</translation>
    </message>
    <message>
        <source>does not say &apos;ridgepoint-journal&apos;</source>
        <translation>没有写明“ridgepoint-journal”</translation>
    </message>
    <message>
        <source>%1 has version %2: it was written by a newer Ridgepoint than this one, which reads up to version %3. Update Ridgepoint to recover it.</source>
        <translation>%1的版本为 %2：它由更新的 Ridgepoint 写成，而本程序只能读到版本 %3。请更新 Ridgepoint 以恢复它。</translation>
    </message>
    <message>
        <source>%1 ends before its session begins: nothing can be recovered from it. Remove it.</source>
        <translation>%1在会话开始之前就结束了：无法从中恢复任何内容。请将其删除。</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; cannot be written or repaired: %2. %3</source>
        <translation>日志“%1”无法写入或修复：%2。%3</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; cannot be written: %2. %3</source>
        <translation>日志“%1”无法写入：%2。%3</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; did not reach the disk: %2. %3</source>
        <translation>日志“%1”没有写到磁盘：%2。%3</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; cannot be created: %2. %3</source>
        <translation>日志“%1”无法创建：%2。%3</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; cannot be locked: %2. %3</source>
        <translation>日志“%1”无法锁定：%2。%3</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; cannot be renamed: %2. %3</source>
        <translation>日志“%1”无法改名：%2。%3</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; cannot be removed: %2. %3</source>
        <translation>日志“%1”无法删除：%2。%3</translation>
    </message>
    <message>
        <source>The journal folder &apos;%1&apos; cannot be created: %2. %3</source>
        <translation>日志文件夹“%1”无法创建：%2。%3</translation>
    </message>
    <message>
        <source>Save the session to another disk now.</source>
        <translation>请立即将会话保存到其他磁盘。</translation>
    </message>
    <message>
        <source>Save the session to another disk.</source>
        <translation>请将会话保存到其他磁盘。</translation>
    </message>
    <message>
        <source>Remove it by hand.</source>
        <translation>请手动删除它。</translation>
    </message>
    <message>
        <source>Free some space there, or set XDG_STATE_HOME to a folder with space; the session itself is still in memory and can be saved elsewhere.</source>
        <translation>请在那里腾出空间，或将 XDG_STATE_HOME 设为有空间的文件夹；会话本身仍在内存中，可以保存到别处。</translation>
    </message>
    <message>
        <source>Set XDG_STATE_HOME to a folder on a local disk that you may write to.</source>
        <translation>请将 XDG_STATE_HOME 设为本地磁盘上可写的文件夹。</translation>
    </message>
    <message>
        <source>The journal &apos;%1&apos; was let go and takes no more results. Start a new one for this session.</source>
        <translation>日志“%1”已被放开，不再接收结果。请为此会话新建一个。</translation>
    </message>
    <message>
        <source>Neither XDG_STATE_HOME nor HOME is set, so there is no place for the journal. Set XDG_STATE_HOME to a folder that you may write to.</source>
        <translation>XDG_STATE_HOME 与 HOME 均未设置，因此没有存放日志的位置。请将 XDG_STATE_HOME 设为可写的文件夹。</translation>
    </message>
    <message>
        <source>Neither XDG_DATA_HOME nor HOME is set, so there is no place for measured profiles. Set XDG_DATA_HOME to a folder that you may write to.</source>
        <translation>XDG_DATA_HOME 与 HOME 均未设置，因此没有存放实测配置的位置。请将 XDG_DATA_HOME 设为可写的文件夹。</translation>
    </message>
    <message>
        <source>does not say &quot;format&quot;: &quot;%1&quot;; save one with ridgepoint calibrate</source>
        <translation>没有写明 &quot;format&quot;: &quot;%1&quot;；请用 ridgepoint calibrate 保存一份</translation>
    </message>
    <message>
        <source>is %1, which a newer version of this program wrote (this one reads %2); use that version, or calibrate again</source>
        <translation>为 %1，由本程序的更新版本写成（本版本读 %2）；请使用那个版本，或重新校准</translation>
    </message>
    <message>
        <source>is empty; it must name the device that was measured</source>
        <translation>为空；它必须写明所测的设备</translation>
    </message>
    <message>
        <source>The calibration does not say which device it is of, so it cannot be kept as that device&apos;s profile; calibrate again with this version of the program.</source>
        <translation>该校准没有写明属于哪个设备，因此不能作为该设备的配置保存；请用本版本的程序重新校准。</translation>
    </message>
    <message>
        <source>The folder of measured profiles %1 cannot be read: %2.</source>
        <translation>实测配置的文件夹 %1 无法读取：%2。</translation>
    </message>
    <message>
        <source>%1 holds no calibration; run ridgepoint calibrate --out FILE and give that file.</source>
        <translation>%1 不含校准；请运行 ridgepoint calibrate --out FILE 并给出该文件。</translation>
    </message>
    <message>
        <source>compare needs two sessions at least: the baseline, and what to hold against it.</source>
        <translation>比较至少需要两个会话：基准，以及与之对照的会话。</translation>
    </message>
    <message>
        <source>The list of %1 is empty; give at least one number from 1 to %2 (%3).</source>
        <translation>%1的列表为空；请至少给出一个 1 至 %2 的数（%3）。</translation>
    </message>
    <message>
        <source>The list of %1 has %2 entries; give at most %3 (%4).</source>
        <translation>%1的列表有 %2 项；请至多给出 %3 项（%4）。</translation>
    </message>
    <message>
        <source>%1 is not usable in the list of %2; give numbers from 1 to %3 (%4).</source>
        <translation>%1 不能用在%2的列表中；请给出 1 至 %3 的数（%4）。</translation>
    </message>
    <message>
        <source>prompt lengths</source>
        <translation>提示长度</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>%1 is %2; give a finite number that is not negative.</source>
        <translation>%1为 %2；请给出非负的有限数。</translation>
    </message>
    <message>
        <source>%1 is %2; give a number above zero, or leave it out.</source>
        <translation>%1为 %2；请给出大于零的数，或将其略去。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a device; use &apos;cpu&apos;, or &apos;cuda:0&apos; for the first GPU.</source>
        <translation>“%1”不是设备；请用 cpu，或用 cuda:0 表示第一个 GPU。</translation>
    </message>
    <message>
        <source>Mode &apos;%1&apos; needs a GPU: on the CPU a step is issued eagerly. Use mode &apos;eager&apos;, or a device such as &apos;cuda:0&apos;.</source>
        <translation>模式“%1”需要 GPU：在 CPU 上每步都是 eager 方式。请用模式 eager，或 cuda:0 之类的设备。</translation>
    </message>
    <message>
        <source>fp16 has no matrix products worth timing on the CPU. Use bf16 or fp32, or a device such as &apos;cuda:0&apos;.</source>
        <translation>CPU 上没有值得计时的 fp16 矩阵乘。请用 bf16 或 fp32，或 cuda:0 之类的设备。</translation>
    </message>
    <message>
        <source>The number of CPU threads</source>
        <translation>CPU 线程数</translation>
    </message>
    <message>
        <source>The number of new tokens (--new)</source>
        <translation>新 token 数（--new）</translation>
    </message>
    <message>
        <source>The number of untimed repeats (--warmup)</source>
        <translation>不计时的重复次数（--warmup）</translation>
    </message>
    <message>
        <source>The number of repeats (--repeats)</source>
        <translation>重复次数（--repeats）</translation>
    </message>
    <message>
        <source>The number of timed steps (--steps)</source>
        <translation>计时步数（--steps）</translation>
    </message>
    <message>
        <source>The number of untimed steps (--warmup)</source>
        <translation>不计时的步数（--warmup）</translation>
    </message>
    <message>
        <source>The number of untraced steps (--steps)</source>
        <translation>不跟踪的步数（--steps）</translation>
    </message>
    <message>
        <source>The method (--method)</source>
        <translation>方法（--method）</translation>
    </message>
    <message>
        <source>The nominal bandwidth</source>
        <translation>标称带宽</translation>
    </message>
    <message>
        <source>The nominal arithmetic rate</source>
        <translation>标称计算速率</translation>
    </message>
    <message>
        <source>The nominal overhead of a step</source>
        <translation>标称的每步开销</translation>
    </message>
    <message>
        <source>The nominal memory</source>
        <translation>标称内存</translation>
    </message>
    <message>
        <source>The memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>The expected TPOT</source>
        <translation>预期的 TPOT</translation>
    </message>
    <message>
        <source>The expected ratio</source>
        <translation>预期的比值</translation>
    </message>
    <message>
        <source>The batch expected to depart first</source>
        <translation>预期最先偏离的 batch</translation>
    </message>
    <message>
        <source>A prompt of %1 tokens and %2 %3 reach position %4, beyond the %5 positions of %6. Shorten the prompt to at most %7, or generate fewer tokens.</source>
        <translation>%1 个 token 的提示加上 %2 个%3会到达位置 %4，超出了 %6 的 %5 个位置。请将提示缩短到至多 %7，或少生成一些 token。</translation>
    </message>
    <message>
        <source>new tokens</source>
        <translation>新 token</translation>
    </message>
    <message>
        <source>The number of new tokens (--new) is %1; give at least 2: the first token is TTFT, and the time per output token needs a second.</source>
        <translation>新 token 数（--new）为 %1；请至少给出 2：第一个 token 是 TTFT，每个输出 token 的时间需要第二个。</translation>
    </message>
    <message>
        <source>The list of models is empty; name at least one (--models tinyllama-1.1b,qwen2.5-0.5b).</source>
        <translation>模型列表为空；请至少给出一个（--models tinyllama-1.1b,qwen2.5-0.5b）。</translation>
    </message>
    <message>
        <source>The list of models has %1 entries; give at most %2 (--models).</source>
        <translation>模型列表有 %1 项；请至多给出 %2 项（--models）。</translation>
    </message>
    <message>
        <source>The list of dtypes is empty; give at least one of fp32, fp16, bf16 (--dtypes).</source>
        <translation>dtype 列表为空；请至少给出 fp32、fp16、bf16 之一（--dtypes）。</translation>
    </message>
    <message>
        <source>The list of dtypes names %1 twice; name each once (--dtypes).</source>
        <translation>dtype 列表中 %1 出现两次；请各写一次（--dtypes）。</translation>
    </message>
    <message>
        <source>The list of models names %1 twice; name each once (--models).</source>
        <translation>模型列表中 %1 出现两次；请各写一次（--models）。</translation>
    </message>
    <message>
        <source>A line over models takes no prompt as text: every model reads the same number of tokens (--prompt).</source>
        <translation>跨模型直线不接受文本提示：每个模型读取相同数量的 token（--prompt）。</translation>
    </message>
    <message>
        <source>A prompt given as text needs a checkpoint folder with a tokenizer; %1 has random weights. Name the folder with --model, or leave the text out.</source>
        <translation>以文本给出提示需要含分词器的检查点文件夹；%1 是随机权重。请用 --model 指定文件夹，或去掉文本。</translation>
    </message>
    <message>
        <source>The prompt text has %1 bytes; give at most %2.</source>
        <translation>提示文本有 %1 字节；请至多给出 %2 字节。</translation>
    </message>
    <message>
        <source>No method of measuring is chosen; give 1, 2, 3 or all (--method).</source>
        <translation>没有选择测量方法；请给出 1、2、3 或 all（--method）。</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, more than a table of measured rows; open the table itself.</source>
        <translation>%1有 %2 字节，多于一张实测表格；请打开表格本身。</translation>
    </message>
    <message>
        <source>%1 is no UTF-8 text. Save it as CSV in UTF-8 and import it again.</source>
        <translation>%1不是 UTF-8 文本。请存为 UTF-8 的 CSV 再导入。</translation>
    </message>
    <message>
        <source>%1 is no UTF-8 text. Save it as JSON or CSV in UTF-8 and import it again.</source>
        <translation>%1不是 UTF-8 文本。请存为 UTF-8 的 JSON 或 CSV 再导入。</translation>
    </message>
    <message>
        <source>%1 holds no header. Its first line must name the columns: model, weight_gb, tpot_ms (and family, dtype).</source>
        <translation>%1没有表头。第一行必须写明各列：model、weight_gb、tpot_ms（以及 family、dtype）。</translation>
    </message>
    <message>
        <source>%1 holds a header and no rows.</source>
        <translation>%1只有表头，没有行。</translation>
    </message>
    <message>
        <source>%1 names the column &apos;%2&apos; twice in its header. Remove one of them.</source>
        <translation>%1的表头中列“%2”出现两次。请去掉一个。</translation>
    </message>
    <message>
        <source>%1 has no column %2; its header names: %3.</source>
        <translation>%1没有列 %2；其表头为：%3。</translation>
    </message>
    <message>
        <source>weight_gb or weight_bytes</source>
        <translation>weight_gb 或 weight_bytes</translation>
    </message>
    <message>
        <source>tpot_ms or tpot_s</source>
        <translation>tpot_ms 或 tpot_s</translation>
    </message>
    <message>
        <source>%1 (and more)</source>
        <translation>%1（等）</translation>
    </message>
    <message>
        <source>%1 has no row that can be used:</source>
        <translation>%1没有可用的行：</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>and %1 more lines that cannot be used.</source>
        <translation>另有 %1 行不可用。</translation>
    </message>
    <message>
        <source>and %1 more rows that cannot be used.</source>
        <translation>另有 %1 行不可用。</translation>
    </message>
    <message>
        <source>and %1 more row that cannot be used.</source>
        <translation>另有 %1 行不可用。</translation>
    </message>
    <message>
        <source>further lines cannot be used either; they are not listed.</source>
        <translation>其余各行也不可用，未列出。</translation>
    </message>
    <message>
        <source>%1 is empty; the row was left out.</source>
        <translation>%1 为空；该行已略去。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in %2 is not a number; the row was left out.</source>
        <translation>%2 中的“%1”不是数字；该行已略去。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in %2 is not a number (write a point before the decimals, not a comma); the row was left out.</source>
        <translation>%2 中的“%1”不是数字（小数前请写点，不要写逗号）；该行已略去。</translation>
    </message>
    <message>
        <source>%1 is %2, and only a number above zero can be used; the row was left out.</source>
        <translation>%1 为 %2，而只有大于零的数可用；该行已略去。</translation>
    </message>
    <message>
        <source>%1 is %2, more than anything that can be measured; the row was left out.</source>
        <translation>%1 为 %2，大于一切可测量的值；该行已略去。</translation>
    </message>
    <message>
        <source>a quotation mark is never closed; this row and all after it were left out.</source>
        <translation>有引号没有闭合；该行及其后所有行已略去。</translation>
    </message>
    <message>
        <source>it repeats line %1 word for word; the row was left out, lest it count twice.</source>
        <translation>它逐字重复第 %1 行；该行已略去，以免重复计算。</translation>
    </message>
    <message>
        <source>the model has no name; the row was left out.</source>
        <translation>模型没有名称；该行已略去。</translation>
    </message>
    <message>
        <source>&apos;%1...&apos; is too long for a name; the row was left out.</source>
        <translation>“%1...”作为名称过长；该行已略去。</translation>
    </message>
    <message>
        <source>a sample in seconds is %1, outside what is above zero, up to a day; the row was left out.</source>
        <translation>一个样本为 %1 秒，应大于零且不超过一天；该行已略去。</translation>
    </message>
    <message>
        <source>more than %1 models, devices and settings in one file; the row was left out.</source>
        <translation>一个文件中超过 %1 种模型、设备与设置；该行已略去。</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, more than the %3 that are imported. Split it.</source>
        <translation>%1有 %2 字节，多于可导入的 %3 字节。请将其拆分。</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1为空。</translation>
    </message>
    <message>
        <source>--column was given &apos;%1=%2&apos;, but a column is one of %3.</source>
        <translation>--column 给出了“%1=%2”，但列应为以下之一：%3。</translation>
    </message>
    <message>
        <source>%1 ends in the middle: it was cut off. Use a complete copy.</source>
        <translation>%1在中途结束：它被截断了。请使用完整的副本。</translation>
    </message>
    <message>
        <source>%1 is JSON of no program that is known here: llama-bench, llama-batched-bench, vLLM bench latency, throughput or serve, optimum-benchmark, or the sweep.json of the published batch sweep.</source>
        <translation>%1是 JSON，但不属于此处已知的程序：llama-bench、llama-batched-bench、vLLM bench latency、throughput 或 serve、optimum-benchmark，或已发表的批量扫描的 sweep.json。</translation>
    </message>
    <message>
        <source>%1 is no result that is known here: JSON of llama-bench, llama-batched-bench, vLLM, optimum-benchmark or the published batch sweep, a table of the first two, or a CSV with a header.</source>
        <translation>%1不是此处已知的结果：llama-bench、llama-batched-bench、vLLM、optimum-benchmark 或已发表的批量扫描的 JSON，前两者的表格，或带表头的 CSV。</translation>
    </message>
    <message>
        <source>Line %1 has NaN or Infinity in %2, which is no number: it counts as not given. Ask the program that wrote it why.</source>
        <translation>第 %1 行的 %2 为 NaN 或 Infinity，不是数：按未给出处理。请查明写出它的程序为何如此。</translation>
    </message>
    <message>
        <source>Line %1 has NaN or Infinity in %2, which is no number, and so have %3 more: it counts as not given. Ask the program that wrote it why.</source>
        <translation>第 %1 行的 %2 为 NaN 或 Infinity，不是数，另有 %3 行也是如此：按未给出处理。请查明写出它的程序为何如此。</translation>
    </message>
    <message>
        <source>%1 holds no decode step that was timed.</source>
        <translation>%1不含计时的解码步。</translation>
    </message>
    <message>
        <source>A point is faster than the floor, which cannot be: check that model, dtype, device and batch are those that were measured (--model, --dtype, --device-profile, --batch).</source>
        <translation>有一个点比下限还快，这不可能：请检查模型、dtype、设备和 batch 是否就是所测的（--model、--dtype、--device-profile、--batch）。</translation>
    </message>
    <message>
        <source>%1 points are faster than the floor, which cannot be: check that model, dtype, device and batch are those that were measured (--model, --dtype, --device-profile, --batch).</source>
        <translation>有 %1 个点比下限还快，这不可能：请检查模型、dtype、设备和 batch 是否就是所测的（--model、--dtype、--device-profile、--batch）。</translation>
    </message>
    <message>
        <source>imported: impossible, below the floor</source>
        <translation>导入：低于下限，不可能</translation>
    </message>
    <message>
        <source>the record ends in the middle: it was cut off; it was left out.</source>
        <translation>该记录在中途结束：它被截断了；已略去。</translation>
    </message>
    <message>
        <source>the record is no JSON object; it was left out.</source>
        <translation>该记录不是 JSON 对象；已略去。</translation>
    </message>
    <message>
        <source>its sequences were generated one after the other (-tgs), so that it times no batch; the row was left out.</source>
        <translation>其序列是逐个生成的（-tgs），因此没有测量批量；该行已略去。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in TG is no number above zero; the row was left out.</source>
        <translation>TG 中的“%1”不是大于零的数；该行已略去。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in test is no test that this program knows (tg128, tg128 @ d512); the row was left out.</source>
        <translation>test 中的“%1”不是本程序认识的测试（tg128、tg128 @ d512）；该行已略去。</translation>
    </message>
    <message>
        <source>it tells neither batch nor prompt nor generated tokens: give --batch, --prompt and --new as the benchmark had them, or import its .pytorch.json.</source>
        <translation>它没有写明 batch、提示与生成的 token 数：请按基准测试所用给出 --batch、--prompt 与 --new，或导入其 .pytorch.json。</translation>
    </message>
    <message>
        <source>it has no configuration, so that batch and prompt are not known: import benchmark.json, not benchmark_report.json.</source>
        <translation>它没有配置，因此 batch 与提示未知：请导入 benchmark.json，而不是 benchmark_report.json。</translation>
    </message>
    <message>
        <source>%1 has no column &apos;%2&apos;, which --column gave for %3.</source>
        <translation>%1没有列“%2”，而 --column 将它用于 %3。</translation>
    </message>
    <message>
        <source>%1 lacks columns. It has: %2.</source>
        <translation>%1缺少列。现有：%2。</translation>
    </message>
    <message>
        <source>For &apos;%1&apos; a column is needed: one of %2, or --column %3 (or --batch).</source>
        <translation>“%1”需要一列：%2 之一，或用 --column %3（或 --batch）。</translation>
    </message>
    <message>
        <source>For &apos;%1&apos; a column is needed: one of %2, or --column %3 (or --prompt).</source>
        <translation>“%1”需要一列：%2 之一，或用 --column %3（或 --prompt）。</translation>
    </message>
    <message>
        <source>For &apos;%1&apos; a column is needed: one of %2, or --column %3.</source>
        <translation>“%1”需要一列：%2 之一，或用 --column %3。</translation>
    </message>
    <message>
        <source>%1: the field &quot;%2&quot; %3. Correct the file.</source>
        <translation>%1：字段“%2”%3。请更正该文件。</translation>
    </message>
    <message>
        <source>%1: the field %2 is unknown. Known are: %3.</source>
        <translation>%1：字段 %2 未知。已知的有：%3。</translation>
    </message>
    <message>
        <source>%1: the field %2 is unknown. Is &quot;%3&quot; meant?</source>
        <translation>%1：字段 %2 未知。是指“%3”吗？</translation>
    </message>
    <message>
        <source>must be made of lower-case letters, digits, &apos;-&apos; and &apos;.&apos;, and is %1</source>
        <translation>必须由小写字母、数字、“-”与“.”组成，而现为 %1</translation>
    </message>
    <message>
        <source>must be gpu, cpu or integrated, and is %1</source>
        <translation>必须是 gpu、cpu 或 integrated，而现为 %1</translation>
    </message>
    <message>
        <source>must hold the rate of fp32, fp16 or bf16</source>
        <translation>必须含有 fp32、fp16 或 bf16 的速率</translation>
    </message>
    <message>
        <source>must be a list of {&quot;figure&quot;, &quot;source&quot;}</source>
        <translation>必须是 {&quot;figure&quot;, &quot;source&quot;} 的列表</translation>
    </message>
    <message>
        <source>The folder %1 cannot be read: %2. Its files are left out.</source>
        <translation>文件夹 %1 无法读取：%2。其中的文件已略去。</translation>
    </message>
    <message>
        <source>The catalogue has no %1 %2. `ridgepoint %3` lists all of them.</source>
        <translation>目录中没有%1 %2。`ridgepoint %3` 会列出全部。</translation>
    </message>
    <message>
        <source>The catalogue has no %1 %2. Nearest: %3. `ridgepoint %4` lists all of them.</source>
        <translation>目录中没有%1 %2。最接近的是：%3。`ridgepoint %4` 会列出全部。</translation>
    </message>
    <message>
        <source>%1: the id &quot;%2&quot; is already that of %3. The file is left out; give it an id of its own.</source>
        <translation>%1：标识“%2”已被 %3 使用。该文件已略去；请为它取自己的标识。</translation>
    </message>
    <message>
        <source>The catalogue of devices and models is missing: no folders hardware and models in %1. Install Ridgepoint again, or set RIDGEPOINT_RESOURCES to the folder that holds them.</source>
        <translation>设备与模型的目录缺失：%1 中没有文件夹 hardware 与 models。请重新安装 Ridgepoint，或将 RIDGEPOINT_RESOURCES 设为含有它们的文件夹。</translation>
    </message>
    <message>
        <source>%1 nests deeper than %2 levels; no file of this kind does. Replace it by a sound one.</source>
        <translation>%1 嵌套超过 %2 层；此类文件不会如此。请换成完好的文件。</translation>
    </message>
    <message>
        <source>%1 has %2 at byte %3; JSON has no such number. Write the number that is meant, or leave the field out.</source>
        <translation>%1 在第 %3 字节有 %2；JSON 没有这样的数。请写上所指的数，或去掉该字段。</translation>
    </message>
    <message>
        <source>%1 is not valid JSON: it goes wrong at byte %2. Correct it or replace it by a sound one.</source>
        <translation>%1 不是有效的 JSON：在第 %2 字节出错。请更正或换成完好的文件。</translation>
    </message>
    <message>
        <source>%1 holds a number that no program can read. Correct it or replace it by a sound one.</source>
        <translation>%1 含有任何程序都无法读取的数。请更正或换成完好的文件。</translation>
    </message>
    <message>
        <source>%1 must hold a JSON object, and holds %2. Replace it by a sound one.</source>
        <translation>%1 必须含有一个 JSON 对象，而现为 %2。请换成完好的文件。</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>must be text, and is %1</source>
        <translation>必须是文本，而现为 %1</translation>
    </message>
    <message>
        <source>must be a whole number from %1 to %2, and is %3</source>
        <translation>必须是 %1 至 %2 的整数，而现为 %3</translation>
    </message>
    <message>
        <source>must be a number from %1 to %2, and is %3</source>
        <translation>必须是 %1 至 %2 的数，而现为 %3</translation>
    </message>
    <message>
        <source>must be true or false, and is %1</source>
        <translation>必须是 true 或 false，而现为 %1</translation>
    </message>
    <message>
        <source>must be a list of texts, and is %1</source>
        <translation>必须是文本列表，而现为 %1</translation>
    </message>
    <message>
        <source>must be a list of texts, and holds %1</source>
        <translation>必须是文本列表，而现含 %1</translation>
    </message>
    <message>
        <source>must be an object, and is %1</source>
        <translation>必须是对象，而现为 %1</translation>
    </message>
    <message>
        <source>%1: the %2 is not one that Ridgepoint knows. Choose a model of one of these architectures: %3.</source>
        <translation>%1：%2 不是 Ridgepoint 认识的。请选择以下架构之一的模型：%3。</translation>
    </message>
    <message>
        <source>architecture &quot;%1&quot;</source>
        <translation>架构“%1”</translation>
    </message>
    <message>
        <source>model type &quot;%1&quot;</source>
        <translation>模型类型“%1”</translation>
    </message>
    <message>
        <source>is missing, and so is &quot;model_type&quot;: the family of the model is unknown</source>
        <translation>缺失，“model_type”也缺失：模型系列未知</translation>
    </message>
    <message>
        <source>is missing although a factor is given</source>
        <translation>缺失，尽管给出了系数</translation>
    </message>
    <message>
        <source>is %1; Ridgepoint knows the scalings llama3 and linear only</source>
        <translation>为 %1；Ridgepoint 只认识 llama3 与 linear 两种缩放</translation>
    </message>
    <message>
        <source>must be greater than low_freq_factor</source>
        <translation>必须大于 low_freq_factor</translation>
    </message>
    <message>
        <source>must be 1: Ridgepoint turns the whole head</source>
        <translation>必须为 1：Ridgepoint 旋转整个头</translation>
    </message>
    <message>
        <source>splits the rotary embedding by the kind of layer, which the family %1 does not do</source>
        <translation>按层的种类划分旋转嵌入，而系列 %1 不这样做</translation>
    </message>
    <message>
        <source>must be &quot;default&quot; for sliding layers</source>
        <translation>对滑动层必须为 &quot;default&quot;</translation>
    </message>
    <message>
        <source>says otherwise than &quot;rope_parameters&quot;; remove the one that does not hold</source>
        <translation>与 &quot;rope_parameters&quot; 不一致；请去掉不成立的那一个</translation>
    </message>
    <message>
        <source>gives no window, and yet some layers are sliding ones</source>
        <translation>没有给出窗口，但有些层是滑动层</translation>
    </message>
    <message>
        <source>must name %1 layers, and names %2</source>
        <translation>必须写明 %1 层，而现有 %2 层</translation>
    </message>
    <message>
        <source>may hold sliding_attention and full_attention, and holds %1</source>
        <translation>可以含有 sliding_attention 与 full_attention，而现含 %1</translation>
    </message>
    <message>
        <source>must be a token id below vocab_size (%1)</source>
        <translation>必须是小于 vocab_size（%1）的 token id</translation>
    </message>
    <message>
        <source>says that the weights are quantized; Ridgepoint reads fp32, fp16 and bf16 weights, so choose the unquantized model</source>
        <translation>表明权重已量化；Ridgepoint 读取 fp32、fp16 与 bf16 的权重，请选择未量化的模型</translation>
    </message>
    <message>
        <source>is %1; the family %2 computes with %3</source>
        <translation>为 %1；系列 %2 用 %3 计算</translation>
    </message>
    <message>
        <source>must be null: Gemma 3 does not cap its logits</source>
        <translation>必须为 null：Gemma 3 不限制 logits</translation>
    </message>
    <message>
        <source>must be false: decode attends to the past only</source>
        <translation>必须为 false：解码只关注过去</translation>
    </message>
    <message>
        <source>must divide num_attention_heads (%1), and is %2</source>
        <translation>必须整除 num_attention_heads（%1），而现为 %2</translation>
    </message>
    <message>
        <source>must be a multiple of num_attention_heads (%1) where head_dim is not given, and is %2</source>
        <translation>未给出 head_dim 时必须是 num_attention_heads（%1）的倍数，而现为 %2</translation>
    </message>
    <message>
        <source>must be even, as rotary embedding turns pairs, and is %1</source>
        <translation>必须是偶数，因为旋转嵌入成对旋转，而现为 %1</translation>
    </message>
    <message>
        <source>%1: its sizes multiply to %2 parameters, more than any model has (at most %3 are read). Correct the file.</source>
        <translation>%1：其尺寸相乘得 %2 个参数，多于任何模型（至多读取 %3 个）。请更正该文件。</translation>
    </message>
    <message>
        <source>There is no folder %1. Give a folder that holds config.json and the model&apos;s safetensors, or a name of the catalogue (`ridgepoint models` lists them).</source>
        <translation>没有文件夹 %1。请给出含 config.json 与模型 safetensors 的文件夹，或目录中的名称（`ridgepoint models` 会列出）。</translation>
    </message>
    <message>
        <source>The folder %1 holds no config.json. Give the folder of a model as it was downloaded, with config.json beside its safetensors.</source>
        <translation>文件夹 %1 中没有 config.json。请给出下载所得的模型文件夹，其中 config.json 与 safetensors 在一起。</translation>
    </message>
    <message>
        <source>%1 is not a folder: give the folder that holds config.json and %2.</source>
        <translation>%1 不是文件夹：请给出含 config.json 与 %2 的文件夹。</translation>
    </message>
    <message>
        <source>The checkpoint %1 has no tensor %2, which its config.json calls for: the download is incomplete or config.json belongs to another model.</source>
        <translation>检查点 %1 没有其 config.json 要求的张量 %2：下载不完整，或 config.json 属于另一个模型。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 has the shape %3, but config.json calls for %4: config.json belongs to another model, or the file is damaged; download both again.</source>
        <translation>%2 的张量 %1 形状为 %3，但 config.json 要求 %4：config.json 属于另一个模型，或文件已损坏；请重新下载两者。</translation>
    </message>
    <message>
        <source>%1 says that %2 holds the tensor %3, but it does not: the files are of different checkpoints; download the folder again.</source>
        <translation>%1 称 %2 含有张量 %3，实际没有：这些文件属于不同的检查点；请重新下载该文件夹。</translation>
    </message>
    <message>
        <source>%1 has no &quot;weight_map&quot; object that names the shard of each tensor: download it again.</source>
        <translation>%1 没有写明各张量所在分片的 &quot;weight_map&quot; 对象：请重新下载。</translation>
    </message>
    <message>
        <source>%1 does not give a file name for the tensor %2: download it again.</source>
        <translation>%1 没有给出张量 %2 的文件名：请重新下载。</translation>
    </message>
    <message>
        <source>%1 puts the tensor %2 into %3, which is not the name of a file in this folder: such an index is damaged or hostile; download it again.</source>
        <translation>%1 将张量 %2 放在 %3 中，而它不是此文件夹中的文件名：这样的索引已损坏或有恶意；请重新下载。</translation>
    </message>
    <message>
        <source>%1 names the shard %2, which is not in the folder: the download is incomplete; fetch the missing file.</source>
        <translation>%1 提到分片 %2，但它不在文件夹中：下载不完整；请取得缺少的文件。</translation>
    </message>
    <message>
        <source>The folder %1 has neither %2 nor %3: download the weights into it.</source>
        <translation>文件夹 %1 中既没有 %2 也没有 %3：请将权重下载到其中。</translation>
    </message>
    <message>
        <source>The folder %1 has neither %2 nor %3: %4 cannot be read, convert it to safetensors.</source>
        <translation>文件夹 %1 中既没有 %2 也没有 %3：%4 无法读取，请转换为 safetensors。</translation>
    </message>
    <message>
        <source>%1 %2, so text cannot be turned into tokens with it. Give the prompt as a number of tokens instead; token ids are still shown as text.</source>
        <translation>%1 %2，因此不能用它将文本转换为 token。请改以 token 数给出提示；token id 仍会显示为文本。</translation>
    </message>
    <message>
        <source>%1 %2: download the file again, or remove it to work without text.</source>
        <translation>%1 %2：请重新下载该文件，或将其删除以便不用文本。</translation>
    </message>
    <message>
        <source>has no &quot;model&quot; object</source>
        <translation>没有 &quot;model&quot; 对象</translation>
    </message>
    <message>
        <source>has an empty vocabulary</source>
        <translation>词表为空</translation>
    </message>
    <message>
        <source>BPE with byte fallback</source>
        <translation>带字节回退的 BPE</translation>
    </message>
    <message>
        <source>has a &quot;%1&quot; that is not text</source>
        <translation>的 &quot;%1&quot; 不是文本</translation>
    </message>
    <message>
        <source>has a &quot;%1&quot; that is not true or false</source>
        <translation>的 &quot;%1&quot; 不是 true 或 false</translation>
    </message>
    <message>
        <source>gives the token %1 the id %2, which is not a whole number below %3</source>
        <translation>给 token %1 的 id 是 %2，不是小于 %3 的整数</translation>
    </message>
    <message>
        <source>has a vocabulary of the kind %1, but only BPE and Unigram are known; use the tokenizer.json of a Llama, Mistral, Qwen, Gemma or SmolLM model</source>
        <translation>的词表种类为 %1，但只认识 BPE 与 Unigram；请使用 Llama、Mistral、Qwen、Gemma 或 SmolLM 模型的 tokenizer.json</translation>
    </message>
    <message>
        <source>holds BPE that is neither byte-level nor converted from SentencePiece, which is not known here</source>
        <translation>含有既非字节级也非由 SentencePiece 转换的 BPE，此处不认识</translation>
    </message>
    <message>
        <source>marks the inside or the end of words in a way that is not known here</source>
        <translation>以此处不认识的方式标记词的内部或结尾</translation>
    </message>
    <message>
        <source>has no vocabulary</source>
        <translation>没有词表</translation>
    </message>
    <message>
        <source>gives the id %1 to %2 and to %3</source>
        <translation>将 id %1 同时给了 %2 与 %3</translation>
    </message>
    <message>
        <source>names %1 as its unknown token, which the vocabulary lacks</source>
        <translation>将 %1 作为未知 token，而词表中没有它</translation>
    </message>
    <message>
        <source>has no list of merges</source>
        <translation>没有合并列表</translation>
    </message>
    <message>
        <source>has a merge (number %1) that is not a pair of tokens</source>
        <translation>有一条合并（第 %1 条）不是一对 token</translation>
    </message>
    <message>
        <source>merges %1 and %2 (merge number %3), but the vocabulary lacks %4</source>
        <translation>合并 %1 与 %2（第 %3 条），但词表中没有 %4</translation>
    </message>
    <message>
        <source>has an entry (number %1) that is not a piece with its score</source>
        <translation>有一项（第 %1 项）不是带分数的片段</translation>
    </message>
    <message>
        <source>has a piece of %1 bytes, more than the limit of 4096</source>
        <translation>有一个 %1 字节的片段，超过 4096 的上限</translation>
    </message>
    <message>
        <source>names an unknown token that the vocabulary lacks</source>
        <translation>所给的未知 token 不在词表中</translation>
    </message>
    <message>
        <source>has &quot;added_tokens&quot; that are not a list</source>
        <translation>的 &quot;added_tokens&quot; 不是列表</translation>
    </message>
    <message>
        <source>has an added token without content</source>
        <translation>有一个没有内容的附加 token</translation>
    </message>
    <message>
        <source>has a sequence of normalizers that is not a list</source>
        <translation>的规范化序列不是列表</translation>
    </message>
    <message>
        <source>prepends to text more than once</source>
        <translation>不止一次在文本前添加内容</translation>
    </message>
    <message>
        <source>replaces text by a pattern that is not known here</source>
        <translation>按此处不认识的模式替换文本</translation>
    </message>
    <message>
        <source>normalizes text in the way %1, which is not known here</source>
        <translation>以此处不认识的方式 %1 规范化文本</translation>
    </message>
    <message>
        <source>goes on to cut text after its ByteLevel step, in a way that is not known here</source>
        <translation>在 ByteLevel 之后继续以此处不认识的方式切分文本</translation>
    </message>
    <message>
        <source>has a sequence of pre-tokenizers that is not a list</source>
        <translation>的预分词序列不是列表</translation>
    </message>
    <message>
        <source>cuts text by a pattern that is not known here</source>
        <translation>按此处不认识的模式切分文本</translation>
    </message>
    <message>
        <source>marks spaces in a way that is not known here</source>
        <translation>以此处不认识的方式标记空格</translation>
    </message>
    <message>
        <source>cuts text in the way %1, which is not known here</source>
        <translation>以此处不认识的方式 %1 切分文本</translation>
    </message>
    <message>
        <source>puts %1 in front of text without giving its id</source>
        <translation>在文本前放置 %1 却没有给出其 id</translation>
    </message>
    <message>
        <source>puts %1 in front of text, which the vocabulary lacks</source>
        <translation>在文本前放置 %1，而词表中没有它</translation>
    </message>
    <message>
        <source>download the file again or write it anew with the safetensors package</source>
        <translation>请重新下载该文件，或用 safetensors 包重新写出</translation>
    </message>
    <message>
        <source>has the dimension %1, which is too large</source>
        <translation>的维度 %1 过大</translation>
    </message>
    <message>
        <source>has more than %1 dimensions</source>
        <translation>超过 %1 维</translation>
    </message>
    <message>
        <source>has more than two data_offsets</source>
        <translation>有两个以上的 data_offsets</translation>
    </message>
    <message>
        <source>does not have two data_offsets</source>
        <translation>没有两个 data_offsets</translation>
    </message>
    <message>
        <source>has the unknown field %1</source>
        <translation>有未知字段 %1</translation>
    </message>
    <message>
        <source>has %1 as its %2</source>
        <translation>的 %2 是 %1</translation>
    </message>
    <message>
        <source>has %1 in its shape where sizes belong</source>
        <translation>的形状中有 %1，而那里应为尺寸</translation>
    </message>
    <message>
        <source>has %1 in its data_offsets where byte positions belong</source>
        <translation>的 data_offsets 中有 %1，而那里应为字节位置</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 has the type %3: only F32, F16 and BF16 can be decoded. Use a checkpoint that is not quantized, or convert it to one of these types.</source>
        <translation>%2 的张量 %1 类型为 %3：只有 F32、F16 与 BF16 可以解码。请使用未量化的检查点，或转换为这些类型之一。</translation>
    </message>
    <message>
        <source>The header of %1 names %2 twice: %3.</source>
        <translation>%1 的头部中 %2 出现两次：%3。</translation>
    </message>
    <message>
        <source>The header of %1 is not valid JSON (near its byte %2): the file is damaged or is not a safetensors file; %3.</source>
        <translation>%1 的头部不是有效的 JSON（在第 %2 字节附近）：文件已损坏或不是 safetensors 文件；%3。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 %3: %4.</source>
        <translation>%2 的张量 %1 %3：%4。</translation>
    </message>
    <message>
        <source>The header of %1 is %2, not an object of tensors: %3.</source>
        <translation>%1 的头部是%2，不是张量的对象：%3。</translation>
    </message>
    <message>
        <source>The entry %1 in the header of %2 is %3, not an object: %4.</source>
        <translation>%2 头部中的项 %1 是%3，不是对象：%4。</translation>
    </message>
    <message>
        <source>The __metadata__ of %1 holds %2 under %3 where the format asks for strings: %4.</source>
        <translation>%1 的 __metadata__ 在 %3 处是%2，而该格式要求字符串：%4。</translation>
    </message>
    <message>
        <source>%1 has %2 bytes and is too short for a safetensors file: the download is incomplete; %3.</source>
        <translation>%1 有 %2 字节，作为 safetensors 文件过短：下载不完整；%3。</translation>
    </message>
    <message>
        <source>%1 declares a header of %2 bytes, more than the limit of %3: it is not a safetensors file, or it is damaged; %4.</source>
        <translation>%1 声明头部有 %2 字节，超过上限 %3：它不是 safetensors 文件，或已损坏；%4。</translation>
    </message>
    <message>
        <source>%1 declares a header of %2 bytes but holds only %3 after the length: the download is incomplete; %4.</source>
        <translation>%1 声明头部有 %2 字节，但长度之后只有 %3 字节：下载不完整；%4。</translation>
    </message>
    <message>
        <source>The header of %1 does not begin with &quot;{&quot;: the file is damaged or is not a safetensors file; %2.</source>
        <translation>%1 的头部不以“{”开头：文件已损坏或不是 safetensors 文件；%2。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 has the shape %3, whose byte count overflows: the header is damaged or hostile; %4.</source>
        <translation>%2 的张量 %1 形状为 %3，其字节数溢出：头部已损坏或有恶意；%4。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 ends at byte %3 before it begins at %4: %5.</source>
        <translation>%2 的张量 %1 在第 %3 字节结束，早于其开始的 %4：%5。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 ends at byte %3 of the data, which has only %4: the download is incomplete; %5.</source>
        <translation>%2 的张量 %1 在数据的第 %3 字节结束，而数据只有 %4 字节：下载不完整；%5。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 has %3 bytes, but its shape %4 and type need %5: %6.</source>
        <translation>%2 的张量 %1 有 %3 字节，但其形状 %4 与类型需要 %5：%6。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 begins at byte %3 of the data where %4 was expected: tensors overlap; %5.</source>
        <translation>%2 的张量 %1 从数据的第 %3 字节开始，而应为 %4：张量重叠；%5。</translation>
    </message>
    <message>
        <source>The tensor %1 of %2 begins at byte %3 of the data where %4 was expected: tensors leave a hole; %5.</source>
        <translation>%2 的张量 %1 从数据的第 %3 字节开始，而应为 %4：张量之间有空隙；%5。</translation>
    </message>
    <message>
        <source>%1 holds %2 bytes of data, but its tensors end at byte %3: the file is damaged; %4.</source>
        <translation>%1 有 %2 字节的数据，但其张量在第 %3 字节结束：文件已损坏；%4。</translation>
    </message>
    <message>
        <source>Cannot open %1: %2. Check the path and its permissions.</source>
        <translation>无法打开 %1：%2。请检查路径及其权限。</translation>
    </message>
    <message>
        <source>Cannot examine %1: %2. Check the disk.</source>
        <translation>无法检查 %1：%2。请检查磁盘。</translation>
    </message>
    <message>
        <source>%1 is not a regular file: put the checkpoint&apos;s own file there.</source>
        <translation>%1 不是普通文件：请将检查点自己的文件放在那里。</translation>
    </message>
    <message>
        <source>%1 is empty: the download is incomplete; %2.</source>
        <translation>%1 为空：下载不完整；%2。</translation>
    </message>
    <message>
        <source>Cannot map %1 (%2 bytes) into memory: %3. Free memory or copy the file to a local disk.</source>
        <translation>无法将 %1（%2 字节）映射到内存：%3。请释放内存，或将文件复制到本地磁盘。</translation>
    </message>
    <message>
        <source>it was not found beside the engine</source>
        <translation>在引擎旁没有找到它</translation>
    </message>
    <message>
        <source>it exports no ridgepoint_sentencepiece</source>
        <translation>它没有导出 ridgepoint_sentencepiece</translation>
    </message>
    <message>
        <source>%1 needs %2, which could not be loaded: %3. Put a tokenizer.json beside the model, or install the program again.</source>
        <translation>%1 需要 %2，但无法加载：%3。请将 tokenizer.json 放在模型旁，或重新安装本程序。</translation>
    </message>
    <message>
        <source>%1 is not a SentencePiece model: download the file again.</source>
        <translation>%1 不是 SentencePiece 模型：请重新下载该文件。</translation>
    </message>
    <message>
        <source>%1 cannot encode the text: %2. Check the file or use another text.</source>
        <translation>%1 无法编码该文本：%2。请检查文件或换用其他文本。</translation>
    </message>
    <message>
        <source>%1 needs SentencePiece, which this program was built without: put a tokenizer.json beside it, or install libsentencepiece-dev and build again.</source>
        <translation>%1 需要 SentencePiece，而本程序构建时未包含它：请将 tokenizer.json 放在旁边，或安装 libsentencepiece-dev 后重新构建。</translation>
    </message>
    <message>
        <source>The tensor &apos;%1&apos; in %2 is no part of %3 as its config.json describes it, and leaving it out would change the results; check that config.json belongs to these weights.</source>
        <translation>%2 中的张量“%1”不属于 config.json 所描述的 %3，略去它会改变结果；请检查 config.json 是否属于这些权重。</translation>
    </message>
    <message>
        <source>fp16 cannot be run on the CPU, which has no arithmetic for it; choose bf16 or fp32.</source>
        <translation>fp16 无法在 CPU 上运行，它没有相应的运算；请选择 bf16 或 fp32。</translation>
    </message>
    <message>
        <source>%1 has %2 norms a layer, which cannot be run; the engine knows 2 and 4.</source>
        <translation>%1 每层有 %2 个归一化，无法运行；引擎只认识 2 与 4。</translation>
    </message>
    <message>
        <source>%1 has an odd head dimension (%2), which rotary positions cannot pair; check head_dim in config.json.</source>
        <translation>%1 的头维度为奇数（%2），旋转位置无法成对；请检查 config.json 中的 head_dim。</translation>
    </message>
    <message>
        <source>The device %1 cannot be used: this libtorch has no CUDA, or no driver was found. Use cpu, or build with a CUDA libtorch.</source>
        <translation>设备 %1 无法使用：此 libtorch 没有 CUDA，或没有找到驱动。请用 cpu，或用带 CUDA 的 libtorch 构建。</translation>
    </message>
    <message>
        <source>The device &apos;%1&apos; is unknown; use cpu or cuda:0, cuda:1, ...</source>
        <translation>设备“%1”未知；请用 cpu 或 cuda:0、cuda:1 等。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no device: write cpu, or cuda:N with the number of the GPU.</source>
        <translation>“%1”不是设备：请写 cpu，或写 cuda:N，其中 N 为 GPU 的编号。</translation>
    </message>
    <message>
        <source>%1 cannot be used: this engine is built for the CPU only (%2). Build it with -DRIDGEPOINT_CUDA=ON against a libtorch with CUDA, or choose the device cpu.</source>
        <translation>%1 无法使用：此引擎只为 CPU 构建（%2）。请用 -DRIDGEPOINT_CUDA=ON 和带 CUDA 的 libtorch 构建，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The RoPE scaling &apos;%1&apos; of %2 cannot be run; the engine knows none, linear and llama3.</source>
        <translation>%2 的 RoPE 缩放“%1”无法运行；引擎只认识无缩放、linear 与 llama3。</translation>
    </message>
    <message>
        <source>The mode %1 cannot be run on %2; choose eager.</source>
        <translation>模式 %1 无法在 %2 上运行；请选择 eager。</translation>
    </message>
    <message>
        <source>%1 has sizes that the GPU kernels do not take (hidden %2, ffn %3, head dimension %4: multiples of 8, a head of at most 256).</source>
        <translation>%1 的尺寸不被 GPU 内核接受（hidden %2，ffn %3，头维度 %4：应为 8 的倍数，头至多 256）。</translation>
    </message>
    <message>
        <source>The batch %1 is outside 1..65536.</source>
        <translation>batch %1 不在 1 至 65536 之间。</translation>
    </message>
    <message>
        <source>The context %1 is outside 1..16000000.</source>
        <translation>上下文 %1 不在 1 至 16000000 之间。</translation>
    </message>
    <message>
        <source>The KV cache of %1 sequences x %2 tokens would take %3; choose a smaller batch or context.</source>
        <translation>%1 个序列 x %2 个 token 的 KV cache 将占用 %3；请减小 batch 或上下文。</translation>
    </message>
    <message>
        <source>The KV cache of %1 sequences x %2 tokens would take %3 bytes; choose a smaller batch or context.</source>
        <translation>%1 个序列 x %2 个 token 的 KV cache 将占用 %3 字节；请减小 batch 或上下文。</translation>
    </message>
    <message>
        <source>The KV cache of %1 sequences x %2 tokens with the working memory of a step</source>
        <translation>%1 个序列 x %2 个 token 的 KV cache 连同一步的工作内存</translation>
    </message>
    <message>
        <source>The weights of %1 in %2</source>
        <translation>%1 的 %2 权重</translation>
    </message>
    <message>
        <source>The cache already holds %1 tokens; rewind(0) empties it.</source>
        <translation>cache 中已有 %1 个 token；rewind(0) 可将其清空。</translation>
    </message>
    <message>
        <source>A prompt of %1 tokens does not fit the cache, which was allocated for 1 to %2.</source>
        <translation>%1 个 token 的提示放不进 cache，它按 1 至 %2 分配。</translation>
    </message>
    <message>
        <source>The prompt&apos;s token %1 is outside the vocabulary of %2 (%3 entries).</source>
        <translation>提示中的 token %1 不在 %2 的词表内（%3 项）。</translation>
    </message>
    <message>
        <source>The cache is full: it was allocated for %1 tokens.</source>
        <translation>cache 已满：它按 %1 个 token 分配。</translation>
    </message>
    <message>
        <source>A context of %1 tokens is outside 1 to %2, which the cache has room for.</source>
        <translation>%1 个 token 的上下文不在 cache 能容纳的 1 至 %2 之间。</translation>
    </message>
    <message>
        <source>Cannot rewind to %1 tokens: the cache holds %2.</source>
        <translation>无法回退到 %1 个 token：cache 中有 %2 个。</translation>
    </message>
    <message>
        <source>There are no logits of sequence %1.</source>
        <translation>没有序列 %1 的 logits。</translation>
    </message>
    <message>
        <source>The decoder did not tell where the last part of its step ends.</source>
        <translation>解码器没有说明一步的最后部分在何处结束。</translation>
    </message>
    <message>
        <source>Building the weights</source>
        <translation>构建权重</translation>
    </message>
    <message>
        <source>Allocating the KV cache</source>
        <translation>分配 KV cache</translation>
    </message>
    <message>
        <source>The prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>The decode step</source>
        <translation>解码步</translation>
    </message>
    <message>
        <source>Setting the context</source>
        <translation>设置上下文</translation>
    </message>
    <message>
        <source>Rewinding the cache</source>
        <translation>回退 cache</translation>
    </message>
    <message>
        <source>Reading the logits</source>
        <translation>读取 logits</translation>
    </message>
    <message>
        <source>Reading the tokens</source>
        <translation>读取 token</translation>
    </message>
    <message>
        <source>Waiting for the device</source>
        <translation>等待设备</translation>
    </message>
    <message>
        <source>%1 ran out of memory; choose a smaller batch, context or model.</source>
        <translation>%1：内存不足；请减小 batch、上下文或模型。</translation>
    </message>
    <message>
        <source>%1 ran out of memory (%2); choose a smaller batch, context or model.</source>
        <translation>%1：内存不足（%2）；请减小 batch、上下文或模型。</translation>
    </message>
    <message>
        <source>%1 failed in libtorch: %2</source>
        <translation>%1在 libtorch 中失败：%2</translation>
    </message>
    <message>
        <source>%1 would take %2, but only %3 of memory is available (a margin of %4 is kept free); choose a smaller batch, context or model.</source>
        <translation>%1将占用 %2，但可用内存只有 %3（保留 %4 的余量）；请减小 batch、上下文或模型。</translation>
    </message>
    <message>
        <source>%1 would take %2, and the system refused it (%3); choose a smaller batch, context or model.</source>
        <translation>%1将占用 %2，系统拒绝了（%3）；请减小 batch、上下文或模型。</translation>
    </message>
    <message>
        <source>The run was stopped.</source>
        <translation>运行已停止。</translation>
    </message>
    <message>
        <source>Building the weights was stopped.</source>
        <translation>权重的构建已停止。</translation>
    </message>
    <message>
        <source>Memory ran out: choose a smaller batch, prompt or model.</source>
        <translation>内存耗尽：请减小 batch、提示或模型。</translation>
    </message>
    <message>
        <source>A fault of unknown type ended the run: run it again, and report it if it comes back.</source>
        <translation>运行因未知类型的故障结束：请重新运行，若再次出现请报告。</translation>
    </message>
    <message>
        <source>libtorch could not carry out an operation: %1.</source>
        <translation>libtorch 无法执行某项运算：%1。</translation>
    </message>
    <message>
        <source>The thread count %1 is outside 0..4096; give 0 for all CPUs this process may use.</source>
        <translation>线程数 %1 不在 0 至 4096 之间；给 0 表示本进程可用的全部 CPU。</translation>
    </message>
    <message>
        <source>RIDGEPOINT_KERNELS is &apos;%1&apos;, which this processor cannot run or this build lacks; use one of: %2.</source>
        <translation>RIDGEPOINT_KERNELS 为“%1”，而此处理器不能运行它或此构建没有它；请用以下之一：%2。</translation>
    </message>
    <message>
        <source>largest resident set seen between steps</source>
        <translation>各步之间所见的最大常驻集</translation>
    </message>
    <message>
        <source>as asked, of %1 that this process may use</source>
        <translation>按要求；本进程可用 %1 个</translation>
    </message>
    <message>
        <source>The libcuda.so that was found is the toolkit&apos;s stub, not the driver&apos;s: take the folder &quot;stubs&quot; off LD_LIBRARY_PATH, or choose the device cpu.</source>
        <translation>所找到的 libcuda.so 是工具包的空壳库，不是驱动的：请将文件夹 stubs 移出 LD_LIBRARY_PATH，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>No NVIDIA driver was found (libcuda.so.1), so that no GPU can be used: install the driver of the card, give the container access to the GPU (--gpus all), or choose the device cpu.</source>
        <translation>没有找到 NVIDIA 驱动（libcuda.so.1），因此无法使用 GPU：请安装显卡驱动，让容器访问 GPU（--gpus all），或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The NVIDIA driver supports CUDA up to %1, but this engine is built with CUDA %2: update the driver, or build the engine with a toolkit and a libtorch of CUDA %3 or older, or choose the device cpu.</source>
        <translation>NVIDIA 驱动最高支持 CUDA %1，但此引擎用 CUDA %2 构建：请更新驱动，或用 CUDA %3 或更旧的工具包与 libtorch 构建引擎，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The NVIDIA driver shows no GPU to this program (CUDA_VISIBLE_DEVICES is &quot;%1&quot;): look whether nvidia-smi lists one, or choose the device cpu.</source>
        <translation>NVIDIA 驱动没有向本程序提供 GPU（CUDA_VISIBLE_DEVICES 为“%1”）：请查看 nvidia-smi 是否列出 GPU，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The NVIDIA driver shows no GPU to this program: look whether nvidia-smi lists one, or choose the device cpu.</source>
        <translation>NVIDIA 驱动没有向本程序提供 GPU：请查看 nvidia-smi 是否列出 GPU，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>%1 is closed to this program: its compute mode is exclusive and another process uses it, or it is prohibited. nvidia-smi shows both; end that process, set the mode back (nvidia-smi -c 0), or choose another device.</source>
        <translation>%1 对本程序关闭：其计算模式为独占且另一进程正在使用，或为禁止。nvidia-smi 会显示两者；请结束该进程，将模式改回（nvidia-smi -c 0），或选择其他设备。</translation>
    </message>
    <message>
        <source>%1 has too little free memory to begin at all: other processes hold it. nvidia-smi lists them; end one, or choose another device.</source>
        <translation>%1 的可用内存太少，根本无法开始：被其他进程占用。nvidia-smi 会列出它们；请结束一个，或选择其他设备。</translation>
    </message>
    <message>
        <source>The engine or its libtorch holds no code that %1 can run (%2): build the engine with -DCMAKE_CUDA_ARCHITECTURES for this card against a libtorch that supports it, or choose the device cpu.</source>
        <translation>引擎或其 libtorch 没有 %1 能运行的代码（%2）：请针对此卡用 -DCMAKE_CUDA_ARCHITECTURES 和支持它的 libtorch 构建引擎，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The GPUs of this machine are not ready (%1): start the service nvidia-fabricmanager that connects them, or choose the device cpu.</source>
        <translation>本机的 GPU 尚未就绪（%1）：请启动连接它们的服务 nvidia-fabricmanager，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The NVIDIA driver&apos;s library and its kernel module are of different versions (%1): restart the machine, or choose the device cpu.</source>
        <translation>NVIDIA 驱动的库与其内核模块版本不同（%1）：请重启机器，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The CUDA compatibility libraries on the library path do not fit this card (%1): take them off LD_LIBRARY_PATH, update the driver, or choose the device cpu.</source>
        <translation>库路径上的 CUDA 兼容库不适合此卡（%1）：请将其移出 LD_LIBRARY_PATH，更新驱动，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>%1 cannot be used: %2. Check the driver with nvidia-smi, or choose the device cpu.</source>
        <translation>%1 无法使用：%2。请用 nvidia-smi 检查驱动，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>The GPU stopped with a fault (%1). Results so far are kept, but this process cannot use the GPU again: start the program again to go on.</source>
        <translation>GPU 因故障停止（%1）。此前的结果已保留，但本进程不能再使用 GPU：请重新启动程序以继续。</translation>
    </message>
    <message>
        <source>The GPU stopped with a fault (%1). Results so far are kept, but this process cannot use the GPU again: start the program again to go on; where it comes back, the card&apos;s memory fails (nvidia-smi -q -d ECC).</source>
        <translation>GPU 因故障停止（%1）。此前的结果已保留，但本进程不能再使用 GPU：请重新启动程序以继续；若再次出现，则是显存有故障（nvidia-smi -q -d ECC）。</translation>
    </message>
    <message>
        <source>%1 (%2) has compute capability %3; the engine&apos;s kernels need 7.5 (Turing: T4, RTX 20) or newer. Choose the device cpu or another GPU.</source>
        <translation>%1（%2）的计算能力为 %3；引擎的内核需要 7.5（Turing：T4、RTX 20）或更新。请选择设备 cpu 或其他 GPU。</translation>
    </message>
    <message>
        <source>%1 (%2) has compute capability %3, but this engine is compiled for %4 and newer: build it with -DCMAKE_CUDA_ARCHITECTURES=%5, or choose the device cpu.</source>
        <translation>%1（%2）的计算能力为 %3，但此引擎为 %4 及更新编译：请用 -DCMAKE_CUDA_ARCHITECTURES=%5 构建，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>bf16 cannot be run on %1 (%2): a card of compute capability %3 has no fast bf16 arithmetic (8.0 and newer have it). Choose fp16, which its tensor cores do.</source>
        <translation>bf16 无法在 %1（%2）上运行：计算能力 %3 的卡没有快速的 bf16 运算（8.0 及更新才有）。请选择 fp16，其张量核心支持它。</translation>
    </message>
    <message>
        <source>%1 cannot be run on %2 (%3): choose one of %4.</source>
        <translation>%1 无法在 %2（%3）上运行：请选择以下之一：%4。</translation>
    </message>
    <message>
        <source>The mode %1 is not available on %2 (%3): choose one of %4.</source>
        <translation>模式 %1 在 %2（%3）上不可用：请选择以下之一：%4。</translation>
    </message>
    <message>
        <source>The GPU could not %1: %2. Look at nvidia-smi, then run again.</source>
        <translation>GPU 无法%1：%2。请查看 nvidia-smi，然后重新运行。</translation>
    </message>
    <message>
        <source>finish its work</source>
        <translation>完成其工作</translation>
    </message>
    <message>
        <source>copy a buffer</source>
        <translation>复制缓冲区</translation>
    </message>
    <message>
        <source>create a timer</source>
        <translation>创建计时器</translation>
    </message>
    <message>
        <source>describe itself</source>
        <translation>描述自身</translation>
    </message>
    <message>
        <source>fill a buffer</source>
        <translation>填充缓冲区</translation>
    </message>
    <message>
        <source>launch a graph</source>
        <translation>启动图</translation>
    </message>
    <message>
        <source>launch a kernel</source>
        <translation>启动内核</translation>
    </message>
    <message>
        <source>make a graph</source>
        <translation>创建图</translation>
    </message>
    <message>
        <source>read a buffer</source>
        <translation>读取缓冲区</translation>
    </message>
    <message>
        <source>read a timer</source>
        <translation>读取计时器</translation>
    </message>
    <message>
        <source>say which device is used</source>
        <translation>说明所用的设备</translation>
    </message>
    <message>
        <source>start a delay</source>
        <translation>开始延迟</translation>
    </message>
    <message>
        <source>start a timer</source>
        <translation>启动计时器</translation>
    </message>
    <message>
        <source>stop a timer</source>
        <translation>停止计时器</translation>
    </message>
    <message>
        <source>%1 (%2) is set to the compute mode &quot;prohibited&quot;: set it back (nvidia-smi -c 0), or choose another device.</source>
        <translation>%1（%2）的计算模式设为“prohibited”：请改回（nvidia-smi -c 0），或选择其他设备。</translation>
    </message>
    <message>
        <source>There is no cuda:%1: this machine has one GPU (cuda:0). Choose one of them.</source>
        <translation>没有 cuda:%1：本机有一个 GPU（cuda:0）。请选择它。</translation>
    </message>
    <message>
        <source>There is no cuda:%1: this machine has %2 GPUs (cuda:0 to cuda:%3). Choose one of them.</source>
        <translation>没有 cuda:%1：本机有 %2 个 GPU（cuda:0 至 cuda:%3）。请选择其中之一。</translation>
    </message>
    <message>
        <source>cuda:%1 cannot be used: the libtorch that was loaded is built for the CPU only. Put the folder of the one with CUDA that this engine was built against first on LD_LIBRARY_PATH, or choose the device cpu.</source>
        <translation>cuda:%1 无法使用：所加载的 libtorch 只为 CPU 构建。请将此引擎构建时所用的带 CUDA 的 libtorch 的文件夹放在 LD_LIBRARY_PATH 的最前面，或选择设备 cpu。</translation>
    </message>
    <message>
        <source>compiled by the driver from code for %1</source>
        <translation>由驱动从 %1 的代码编译</translation>
    </message>
    <message>
        <source>the driver&apos;s library %1 could not be loaded: %2</source>
        <translation>驱动的库 %1 无法加载：%2</translation>
    </message>
    <message>
        <source>%1 lacks functions that are needed</source>
        <translation>%1 缺少所需的函数</translation>
    </message>
    <message>
        <source>NVML could not be started: %1</source>
        <translation>NVML 无法启动：%1</translation>
    </message>
    <message>
        <source>NVML does not know this GPU: %1</source>
        <translation>NVML 不认识此 GPU：%1</translation>
    </message>
    <message>
        <source>CUPTI interface %1 (CUDA %2)</source>
        <translation>CUPTI 接口 %1（CUDA %2）</translation>
    </message>
    <message>
        <source>(a kernel without a name)</source>
        <translation>（没有名称的内核）</translation>
    </message>
    <message>
        <source>CUPTI lost records of the step.</source>
        <translation>CUPTI 丢失了该步的记录。</translation>
    </message>
    <message>
        <source>CUPTI could not %1: %2, the driver keeps its counters for administrators.</source>
        <translation>CUPTI 无法%1：%2，驱动将其计数器留给管理员。</translation>
    </message>
    <message>
        <source>CUPTI could not %1: %2, another profiler is at work in this process.</source>
        <translation>CUPTI 无法%1：%2，本进程中有另一个性能分析器在工作。</translation>
    </message>
    <message>
        <source>CUPTI could not %1: %2.</source>
        <translation>CUPTI 无法%1：%2。</translation>
    </message>
    <message>
        <source>take its records</source>
        <translation>取得其记录</translation>
    </message>
    <message>
        <source>hand over its records</source>
        <translation>交出其记录</translation>
    </message>
    <message>
        <source>be switched on</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>The device %1 no longer works after batch %2, prompt %3: %4 Start the program again; the finished points are kept.</source>
        <translation>设备 %1 在 batch %2、提示 %3 之后不再工作：%4请重新启动程序；已完成的点已保留。</translation>
    </message>
    <message>
        <source>The device %1 no longer works after %2 in %3: %4 Start the program again; the finished rows are kept.</source>
        <translation>设备 %1 在 %3 的 %2 之后不再工作：%4请重新启动程序；已完成的行已保留。</translation>
    </message>
    <message>
        <source>Line over models: done</source>
        <translation>跨模型直线：完成</translation>
    </message>
    <message>
        <source>The run does not fit: %1 Choose a smaller batch, prompt or model, or raise the limit.</source>
        <translation>运行放不下：%1请减小 batch、提示或模型，或提高上限。</translation>
    </message>
    <message>
        <source>The prompt text has %1 tokens; with %2 new ones that is more than the %3 positions of %4. Shorten the text, or generate fewer tokens.</source>
        <translation>提示文本有 %1 个 token；加上 %2 个新 token 多于 %4 的 %3 个位置。请缩短文本，或少生成一些 token。</translation>
    </message>
    <message>
        <source>The prompt text cannot be turned into tokens: %1 comes without a tokenizer. Name a folder with tokenizer.json or tokenizer.model, or leave the text out.</source>
        <translation>提示文本无法转换为 token：%1 不带分词器。请指定含 tokenizer.json 或 tokenizer.model 的文件夹，或去掉文本。</translation>
    </message>
    <message>
        <source>The prompt text gives no token: write at least one word.</source>
        <translation>提示文本没有产生 token：请至少写一个词。</translation>
    </message>
    <message>
        <source>The tokenizer gave token %1, but the vocabulary of %2 has %3 entries: the tokenizer belongs to another model. Put the files of one model into the folder.</source>
        <translation>分词器给出了 token %1，但 %2 的词表有 %3 项：该分词器属于另一个模型。请将同一模型的文件放入文件夹。</translation>
    </message>
    <message>
        <source>The bandwidth of %1 cannot be measured: a buffer of four times the last-level cache must fit into a quarter of the free memory (and of the run&apos;s memory limit). Close other programs or raise the limit.</source>
        <translation>无法测量 %1 的带宽：四倍于末级缓存的缓冲区必须能放进可用内存（以及运行的内存上限）的四分之一。请关闭其他程序或提高上限。</translation>
    </message>
    <message>
        <source>The bandwidth of %1 (%2) cannot be measured: a buffer of four times its cache (%3) must fit into half of the free memory (and of the run&apos;s memory limit), but %4 is free and %5 is in use by all processes. nvidia-smi lists them: close others, or raise the limit.</source>
        <translation>无法测量 %1（%2）的带宽：四倍于其缓存（%3）的缓冲区必须能放进可用内存（以及运行的内存上限）的一半，但可用 %4，所有进程共占用 %5。nvidia-smi 会列出它们：请关闭其他进程，或提高上限。</translation>
    </message>
    <message>
        <source>The memory for measuring the bandwidth could not be had: close other programs and calibrate again.</source>
        <translation>无法获得测量带宽所需的内存：请关闭其他程序后重新校准。</translation>
    </message>
    <message>
        <source>One fixed cost is fitted for all these models, though it grows with their layers.</source>
        <translation>对所有这些模型拟合同一个固定开销，尽管它随层数增长。</translation>
    </message>
    <message>
        <source>The bandwidth of the %1 lies above the measured %2 with its whole interval: the steps do not follow these terms alone.</source>
        <translation>%1的带宽连同其整个区间都高于实测的 %2：各步并不只由这些项决定。</translation>
    </message>
    <message>
        <source>parts of the model</source>
        <translation>模型各部分</translation>
    </message>
    <message>
        <source>share of traced</source>
        <translation>占被跟踪步的份额</translation>
    </message>
    <message>
        <source>predicted tokens a second</source>
        <translation>预测的 token/秒</translation>
    </message>
    <message>
        <source>achieved arithmetic rate</source>
        <translation>达到的计算速率</translation>
    </message>
    <message>
        <source>effective bytes less W</source>
        <translation>有效字节减 W</translation>
    </message>
    <message>
        <source>At %1 of %2 points the steps differ by more than 20 % from p10 to p90 (by %3 at batch %4, prompt %5): the machine was busy with something else, or its clock varied. Measure again when it is idle.</source>
        <translation>%2 个点中有 %1 个的各步从 p10 到 p90 相差超过 20 %（batch %4、提示 %5 处相差 %3）：机器在忙别的事，或其时钟有变化。请在空闲时重新测量。</translation>
    </message>
    <message>
        <source>TPOT / floor, batch %1</source>
        <translation>TPOT / 下限，batch %1</translation>
    </message>
    <message>
        <source>The file is left out.</source>
        <translation>该文件已略去。</translation>
    </message>
    <message>
        <source>It was left out.</source>
        <translation>已略去。</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>The mode %1 needs them; choose eager, which then runs libtorch&apos;s own operations.</source>
        <translation>模式 %1 需要这些内核；请选择 eager，它会使用 libtorch 自己的运算。</translation>
    </message>
    <message>
        <source>CUPTI (libcupti.so.%1) was not found.</source>
        <translation>未找到 CUPTI（libcupti.so.%1）。</translation>
    </message>
    <message>
        <source>It comes with the CUDA toolkit and with PyTorch&apos;s packages; put its folder on LD_LIBRARY_PATH.</source>
        <translation>它随 CUDA 工具包和 PyTorch 的包提供；请将其文件夹加入 LD_LIBRARY_PATH。</translation>
    </message>
    <message>
        <source>%1 lacks functions that the tracer needs.</source>
        <translation>%1 缺少跟踪器所需的函数。</translation>
    </message>
    <message>
        <source>the library found is %1 and this engine was built for that of CUDA %2, whose records have another layout.</source>
        <translation>所找到的库是 %1，而此引擎是为 CUDA %2 的库构建的，其记录的布局不同。</translation>
    </message>
    <message>
        <source>Put the folder of libcupti.so.%1 on LD_LIBRARY_PATH.</source>
        <translation>请将 libcupti.so.%1 的文件夹加入 LD_LIBRARY_PATH。</translation>
    </message>
    <message>
        <source>this engine was built without the headers of CUPTI, which come with the CUDA toolkit.</source>
        <translation>此引擎构建时没有 CUPTI 的头文件，它们随 CUDA 工具包提供。</translation>
    </message>
    <message>
        <source>%1 (imported)</source>
        <translation>%1（导入）</translation>
    </message>
    <message>
        <source>unknown device (imported)</source>
        <translation>未知设备（导入）</translation>
    </message>
    <message>
        <source>own context-by-context kernel on tensor cores, K and V read once a group</source>
        <translation>自有的逐上下文内核，用张量核心，K 和 V 每组读一次</translation>
    </message>
    <message>
        <source>Could not write &quot;%1&quot;: it is a named pipe that nobody reads. Choose a file.</source>
        <translation>无法写入“%1”：它是没有人读取的命名管道。请选择一个文件。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a count with three decimals: write thousands without a point; the row was left out.</source>
        <translation>“%1”是带三位小数的计数：千位分隔请勿用点；该行已略去。</translation>
    </message>
    <message>
        <source>The model is taken to be %1, which has just so many parameters (%2).</source>
        <translation>将模型视为 %1：其参数数目恰好相同（%2）。</translation>
    </message>
</context>
<context>
    <name>ridgepoint::AnatomyChart</name>
    <message>
        <source>Anatomy of a step</source>
        <translation>单步解剖</translation>
    </message>
    <message>
        <source>gaps</source>
        <translation>间隙</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>part, traced</source>
        <translation>部分（跟踪）</translation>
    </message>
    <message>
        <source>part, timed apart</source>
        <translation>部分（单独计时）</translation>
    </message>
    <message>
        <source>Time since the first kernel (us)</source>
        <translation>自首个内核起的时间（us）</translation>
    </message>
    <message>
        <source>series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>busy %1 (%2)</source>
        <translation>忙碌 %1（%2）</translation>
    </message>
    <message>
        <source>gaps %1</source>
        <translation>间隙 %1</translation>
    </message>
    <message>
        <source>traced %1, untraced %2</source>
        <translation>跟踪时 %1，不跟踪 %2</translation>
    </message>
    <message>
        <source>traced %1</source>
        <translation>跟踪时 %1</translation>
    </message>
    <message>
        <source>no trace; parts timed apart, one after another</source>
        <translation>无跟踪；各部分依次单独计时</translation>
    </message>
    <message>
        <source>a whole step takes %1</source>
        <translation>完整一步用时 %1</translation>
    </message>
    <message>
        <source>b=%1, n=%2, %3</source>
        <translation>b=%1，n=%2，%3</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>traced</source>
        <translation>跟踪时</translation>
    </message>
    <message>
        <source>untraced</source>
        <translation>不跟踪时</translation>
    </message>
    <message>
        <source>no step was taken apart yet</source>
        <translation>尚未解剖任何一步</translation>
    </message>
    <message>
        <source>Kernels by time</source>
        <translation>内核（按用时）</translation>
    </message>
    <message>
        <source>gap: %1 with no kernel on the device</source>
        <translation>间隙：设备上 %1 没有内核运行</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1，起于 %2</translation>
    </message>
    <message>
        <source>%1, layer %2</source>
        <translation>%1，第 %2 层</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>%1: %2 over all layers</source>
        <translation>%1：所有层合计 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Choose the experiment “Anatomy of a step” and run it: it traces the kernels of one decode step, and times the model&apos;s parts apart where the device allows it.</source>
        <translation>请选择实验“单步解剖”并运行：它会跟踪一个解码步的各内核，并在设备允许时对模型各部分单独计时。</translation>
    </message>
    <message>
        <source>part, by the kernel&apos;s clock</source>
        <translation>部分，按内核自己的时钟</translation>
    </message>
    <message>
        <source>one kernel, divided by its own clock</source>
        <translation>单一内核，按其自身时钟划分</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ChartExportDialog</name>
    <message>
        <source>Export chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>PNG (pixels)</source>
        <translation>PNG(像素图)</translation>
    </message>
    <message>
        <source>SVG (vectors)</source>
        <translation>SVG(矢量图)</translation>
    </message>
    <message>
        <source>PDF (vectors)</source>
        <translation>PDF(矢量图)</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>&amp;Chart:</source>
        <translation>图表(&amp;C):</translation>
    </message>
    <message>
        <source>&amp;Format:</source>
        <translation>格式(&amp;F):</translation>
    </message>
    <message>
        <source>&amp;Width:</source>
        <translation>宽度(&amp;W):</translation>
    </message>
    <message>
        <source>&amp;Height:</source>
        <translation>高度(&amp;H):</translation>
    </message>
    <message>
        <source>&amp;Scale:</source>
        <translation>缩放(&amp;S):</translation>
    </message>
    <message>
        <source>F&amp;ile:</source>
        <translation>文件(&amp;I):</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1 × %2 pixels in the file</source>
        <translation>文件为 %1 × %2 像素</translation>
    </message>
    <message>
        <source>Vectors: sharp at any size</source>
        <translation>矢量图：任意大小都清晰</translation>
    </message>
    <message>
        <source>%1 files (*.%2)</source>
        <translation>%1 文件 (*.%2)</translation>
    </message>
    <message>
        <source>%1 exists. Replace it?</source>
        <translation>%1 已存在。要替换它吗?</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>The folder %1 could not be made. Choose a place that you may write to.</source>
        <translation>无法创建文件夹 %1。请选择一个有写入权限的位置。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ChartGrid</name>
    <message>
        <source>Pages of charts</source>
        <translation>图表页</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Roofline, throughput, latency and time account of one model</source>
        <translation>一个模型的屋顶线、吞吐、延迟和时间构成</translation>
    </message>
    <message>
        <source>Memory and anatomy</source>
        <translation>内存与解剖</translation>
    </message>
    <message>
        <source>What fits into the memory, and where the time of a step goes</source>
        <translation>内存能容纳什么，一步的时间花在哪里</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The line over models</source>
        <translation>模型直线</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ChartView</name>
    <message numerus="yes">
        <source>and %n more row(s)</source>
        <translation>
            <numerusform>另有 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not end in .png, .svg or .pdf; choose one of these names.</source>
        <translation>“%1”不以 .png、.svg 或 .pdf 结尾；请使用其中之一。</translation>
    </message>
    <message>
        <source>A picture of %1 x %2 pixels at scale %3 cannot be drawn for &quot;%4&quot;; choose a size between 1 pixel and 32767 pixels a side, 200 million pixels in all.</source>
        <translation>无法为“%4”绘制 %1 x %2 像素、缩放 %3 的图片；请选择每边 1 到 32767 像素、总计不超过 2 亿像素的尺寸。</translation>
    </message>
    <message>
        <source>There is not enough memory to draw &quot;%1&quot;; choose a smaller size or scale.</source>
        <translation>内存不足，无法绘制“%1”；请选择更小的尺寸或缩放。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; could not be drawn; try another format.</source>
        <translation>无法绘制“%1”；请换一种格式。</translation>
    </message>
    <message>
        <source>Recording · %1</source>
        <translation>录制回放 · %1</translation>
    </message>
</context>
<context>
    <name>ridgepoint::Charts</name>
    <message>
        <source>Choose a model to see its prediction.</source>
        <translation>选择一个模型即可看到它的预测。</translation>
    </message>
    <message>
        <source>prediction only, nothing measured yet</source>
        <translation>仅有预测，尚未实测</translation>
    </message>
    <message>
        <source>%1 in %2 on %3</source>
        <translation>%1，%2，设备 %3</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>每步 %1，%2</translation>
    </message>
    <message>
        <source>memory %1, compute %2, overhead %3</source>
        <translation>访存 %1，计算 %2，开销 %3</translation>
    </message>
    <message>
        <source>%1, %2, bound by %3</source>
        <translation>%1，%2，受限于%3</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>访存</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>measuring: %1</source>
        <translation>正在测量：%1</translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>forecast %1, measured / forecast %2</source>
        <translation>预测 %1，实测/预测 %2</translation>
    </message>
    <message>
        <source>floor %1, ratio %2</source>
        <translation>下限 %1，比值 %2</translation>
    </message>
    <message>
        <source>peak memory %1</source>
        <translation>峰值内存 %1</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>eager</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>graph</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>fused</translation>
    </message>
    <message>
        <source>SM clock %1 MHz</source>
        <translation>SM 频率 %1 MHz</translation>
    </message>
    <message>
        <source>host gap %1</source>
        <translation>主机间隙 %1</translation>
    </message>
    <message>
        <source>median SM clock %1 MHz</source>
        <translation>SM 频率中位数 %1 MHz</translation>
    </message>
    <message numerus="yes">
        <source>%n throttled step(s)</source>
        <translation>
            <numerusform>%n 步被降频</numerusform>
        </translation>
    </message>
    <message>
        <source>SM clock %1</source>
        <translation>SM 频率 %1</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>line over models on %1</source>
        <translation>%1 上的多模型直线</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>q, k, v</source>
        <translation>q、k、v</translation>
    </message>
    <message>
        <source>rotation</source>
        <translation>旋转编码</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>o</source>
        <translation>o</translation>
    </message>
    <message>
        <source>gate, up</source>
        <translation>gate、up</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>down</source>
        <translation>down</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>pick</source>
        <translation>选词</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>forecast (timed steps)</source>
        <translation>预测（实测步时）</translation>
    </message>
    <message>
        <source>forecast (floor + step overhead)</source>
        <translation>预测（下限 + 单步开销）</translation>
    </message>
    <message>
        <source>forecast (datasheet only)</source>
        <translation>预测（仅规格）</translation>
    </message>
    <message>
        <source>floor, measured ceilings</source>
        <translation>下限（实测上限）</translation>
    </message>
    <message>
        <source>floor, datasheet</source>
        <translation>下限（规格）</translation>
    </message>
    <message>
        <source>floor, measured</source>
        <translation>下限，实测</translation>
    </message>
    <message>
        <source>floor, sheet</source>
        <translation>下限，规格</translation>
    </message>
    <message>
        <source>%1; forecast of %2 in %3 on %4</source>
        <translation>%1；预测的是 %2，%3，设备 %4</translation>
    </message>
    <message>
        <source>%1; roof of %2, no forecast</source>
        <translation>%1；屋顶属于 %2，无预测</translation>
    </message>
    <message>
        <source>%1; no forecast, the model is not known</source>
        <translation>%1；模型未知，无预测</translation>
    </message>
    <message>
        <source>%1; no forecast, the device is not known</source>
        <translation>%1；设备未知，无预测</translation>
    </message>
    <message>
        <source>%1; no forecast: %2</source>
        <translation>%1；无预测：%2</translation>
    </message>
</context>
<context>
    <name>ridgepoint::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type a part of a command&apos;s name</source>
        <translation>输入命令名称的一部分</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Words in any order; Up and Down choose, Return carries out, Esc leaves</source>
        <translation>词序不限；上下键选择，回车执行，Esc 离开</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>on</source>
        <translation>已开启</translation>
    </message>
    <message>
        <source>No command is called “%1”. Try another word, or fewer of them.</source>
        <translation>没有名为“%1”的命令。请换一个词，或少用几个词。</translation>
    </message>
</context>
<context>
    <name>ridgepoint::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ExperimentPanel</name>
    <message>
        <source>Batch sweep</source>
        <translation>Batch 扫描</translation>
    </message>
    <message>
        <source>Times decode steps over batches and prompt lengths</source>
        <translation>在不同 batch 与提示长度下测量解码步</translation>
    </message>
    <message>
        <source>TTFT and TPOT</source>
        <translation>TTFT 与 TPOT</translation>
    </message>
    <message>
        <source>Times a generation by three methods that check one another</source>
        <translation>用三种相互校验的方法测量一次生成</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Measures the device&apos;s own bandwidth, arithmetic rate and fixed costs</source>
        <translation>测量设备自身的带宽、计算速率与固定开销</translation>
    </message>
    <message>
        <source>E&amp;xperiment</source>
        <translation>实验(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>Type to search the catalogue, or choose a checkpoint folder</source>
        <translation>输入文字以搜索目录，或选择检查点文件夹</translation>
    </message>
    <message>
        <source>Model or folder</source>
        <translation>模型或文件夹</translation>
    </message>
    <message>
        <source>Checkpoint folder…</source>
        <translation>检查点文件夹…</translation>
    </message>
    <message>
        <source>Choose a checkpoint folder</source>
        <translation>选择检查点文件夹</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>D&amp;type</source>
        <translation>数据类型(&amp;T)</translation>
    </message>
    <message>
        <source>M&amp;ode</source>
        <translation>模式(&amp;O)</translation>
    </message>
    <message>
        <source>Prompt lengths in tokens, such as 128, 2048</source>
        <translation>提示长度(token 数)，例如 128, 2048</translation>
    </message>
    <message>
        <source>&amp;Prompts</source>
        <translation>提示长度(&amp;P)</translation>
    </message>
    <message>
        <source>Sequences decoded together, such as 1, 4, 16</source>
        <translation>一起解码的序列数，例如 1, 4, 16</translation>
    </message>
    <message>
        <source>&amp;Batches</source>
        <translation>&amp;Batch 列表</translation>
    </message>
    <message>
        <source>&amp;Prompt tokens</source>
        <translation>提示 token 数(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Batch</source>
        <translation>&amp;Batch</translation>
    </message>
    <message>
        <source>&amp;New tokens</source>
        <translation>新 token 数(&amp;N)</translation>
    </message>
    <message>
        <source>Untimed steps before each point</source>
        <translation>每个点之前不计时的步数</translation>
    </message>
    <message>
        <source>&amp;Warm-up steps</source>
        <translation>预热步数(&amp;W)</translation>
    </message>
    <message>
        <source>Timed steps of each point; the median counts</source>
        <translation>每个点的计时步数；取中位数</translation>
    </message>
    <message>
        <source>Timed &amp;steps</source>
        <translation>计时步数(&amp;S)</translation>
    </message>
    <message>
        <source>Untimed repeats of each method</source>
        <translation>每种方法不计时的重复次数</translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation>预热次数(&amp;W)</translation>
    </message>
    <message>
        <source>Timed repeats of each method; the median counts</source>
        <translation>每种方法的计时重复次数；取中位数</translation>
    </message>
    <message>
        <source>1  Subtraction</source>
        <translation>1  相减法</translation>
    </message>
    <message>
        <source>2  Stream</source>
        <translation>2  流式</translation>
    </message>
    <message>
        <source>3  Timed loop</source>
        <translation>3  计时循环</translation>
    </message>
    <message>
        <source>Two generations of different length, subtracted</source>
        <translation>两次不同长度的生成相减</translation>
    </message>
    <message>
        <source>A time stamp as each token reaches the reader</source>
        <translation>每个 token 到达读者时记录时间戳</translation>
    </message>
    <message>
        <source>A loop with every step timed</source>
        <translation>逐步计时的循环</translation>
    </message>
    <message>
        <source>Methods</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Empty: a built-in text</source>
        <translation>留空：使用内置文本</translation>
    </message>
    <message>
        <source>Encoded with the folder&apos;s tokenizer, then cut or repeated to the prompt&apos;s length</source>
        <translation>用该文件夹的分词器编码，再截断或重复到提示长度</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>CPU threads of the engine</source>
        <translation>引擎使用的 CPU 线程数</translation>
    </message>
    <message>
        <source>what is free</source>
        <translation>可用内存</translation>
    </message>
    <message>
        <source>Points that need more memory are recorded as skipped. Empty: what the device has free.</source>
        <translation>需要更多内存的点记录为已跳过。留空：设备的可用内存。</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Memory &amp;limit</source>
        <translation>内存上限(&amp;L)</translation>
    </message>
    <message>
        <source>Try points beyond &amp;capacity</source>
        <translation>尝试超出容量的点(&amp;C)</translation>
    </message>
    <message>
        <source>Run points that cannot fit by arithmetic as well: they may end out of memory</source>
        <translation>也运行按计算放不下的点：它们可能以内存不足告终</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run the experiment</source>
        <translation>运行实验</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Checkpoint folder: one with config.json and safetensors</source>
        <translation>检查点文件夹：含 config.json 与 safetensors</translation>
    </message>
    <message>
        <source>%1: %2 parameters</source>
        <translation>%1：%2 参数</translation>
    </message>
    <message>
        <source>%1 (folder)</source>
        <translation>%1(文件夹)</translation>
    </message>
    <message>
        <source>%1, %2 of memory</source>
        <translation>%1，内存 %2</translation>
    </message>
    <message>
        <source>%1 is too large: give numbers from 1 to %2.</source>
        <translation>%1 太大：请给出 1 到 %2 之间的数。</translation>
    </message>
    <message>
        <source>“%1” is not a whole number: write them as %2.</source>
        <translation>“%1”不是整数：请写成 %2 的形式。</translation>
    </message>
    <message>
        <source>%1 cannot be used: give numbers from 1 to %2.</source>
        <translation>%1 不可用：请给出 1 到 %2 之间的数。</translation>
    </message>
    <message>
        <source>Give at least one number, such as %1.</source>
        <translation>请至少给出一个数，例如 %1。</translation>
    </message>
    <message>
        <source>%1 numbers are too many: give at most %2.</source>
        <translation>%1 个数太多：最多给出 %2 个。</translation>
    </message>
    <message>
        <source>The engine reports no device.</source>
        <translation>引擎没有报告任何设备。</translation>
    </message>
    <message>
        <source>Choose a device.</source>
        <translation>请选择设备。</translation>
    </message>
    <message>
        <source>%1 runs no number format that this program knows.</source>
        <translation>%1 不支持本程序认识的任何数值格式。</translation>
    </message>
    <message>
        <source>%1 of the plan is not there; %2 stands in.</source>
        <translation>计划中的 %1 不存在；以 %2 代替。</translation>
    </message>
    <message>
        <source>Choose a model of the catalogue or a checkpoint folder.</source>
        <translation>请选择目录中的模型或检查点文件夹。</translation>
    </message>
    <message>
        <source>The catalogue has no model “%1”.</source>
        <translation>目录中没有模型“%1”。</translation>
    </message>
    <message>
        <source>Nearest: %1.</source>
        <translation>最接近的是：%1。</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 参数</translation>
    </message>
    <message>
        <source>%1 parameters, random weights</source>
        <translation>%1 参数，随机权重</translation>
    </message>
    <message>
        <source>Choose at least one method.</source>
        <translation>请至少选择一种方法。</translation>
    </message>
    <message>
        <source>%1 tokens and the %2 generated go beyond the model&apos;s %3 positions: give at most %4.</source>
        <translation>%1 个 token 加上生成的 %2 个超出了模型的 %3 个位置：最多给出 %4。</translation>
    </message>
    <message>
        <source>The %1 generated tokens alone go beyond the model&apos;s %2 positions: generate fewer.</source>
        <translation>仅生成的 %1 个 token 就超出了模型的 %2 个位置：请减少生成数。</translation>
    </message>
    <message>
        <source>“%1” is not a number of GB; empty means what is free.</source>
        <translation>“%1”不是以 GB 计的数；留空表示可用内存。</translation>
    </message>
    <message>
        <source>Give a limit above 0 and up to 1000000 GB, or leave it empty.</source>
        <translation>请给出大于 0 且不超过 1000000 GB 的上限，或留空。</translation>
    </message>
    <message>
        <source>A field is wrong: the sentence in it says what to change</source>
        <translation>有字段不正确：其下的说明指出应如何修改</translation>
    </message>
    <message>
        <source>Measures the bandwidth, the arithmetic rate and the fixed cost of a step.</source>
        <translation>测量带宽、计算速率与每步的固定开销。</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>; about a second at datasheet speed</source>
        <translation>；按规格速度约一秒</translation>
    </message>
    <message>
        <source>; at least %1 at datasheet speed</source>
        <translation>；按规格速度至少 %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>%1 (of the session)</source>
        <translation>%1(来自会话)</translation>
    </message>
    <message>
        <source>Repeat&amp;s</source>
        <translation>重复次数(&amp;S)</translation>
    </message>
    <message>
        <source>Prompt text</source>
        <translation>提示文本</translation>
    </message>
    <message>
        <source>Thre&amp;ads</source>
        <translation>线程数(&amp;A)</translation>
    </message>
    <message>
        <source>%1 parameters; the fixed cost is that of its layers</source>
        <translation>%1 参数；固定开销按其层数计</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 个点</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个点</translation>
    </message>
    <message>
        <source>1 method, repeats: %1</source>
        <translation>1 种方法，重复 %1 次</translation>
    </message>
    <message>
        <source>%1 methods, repeats: %2</source>
        <translation>%1 种方法，重复 %2 次</translation>
    </message>
    <message>
        <source>One does not fit into %1 and will be skipped.</source>
        <translation>有一个点放不进 %1，将被跳过。</translation>
    </message>
    <message>
        <source>%1 do not fit into %2 and will be skipped.</source>
        <translation>有 %1 个点放不进 %2，将被跳过。</translation>
    </message>
    <message>
        <source>Telemetr&amp;y beside the steps</source>
        <translation>计时的同时采集遥测(&amp;Y)</translation>
    </message>
    <message>
        <source>Reads the GPU&apos;s clocks, temperature, power and throttling while the steps are timed, without slowing them</source>
        <translation>计时各步的同时读取 GPU 的频率、温度、功率和降频原因，不拖慢它们</translation>
    </message>
    <message>
        <source>eager: the host launches every operation of every step, as a plain program does. At small batches the launches cost more than the work.</source>
        <translation>eager：主机逐个启动每一步的每个算子，与普通程序一样。batch 小时，启动的代价超过计算本身。</translation>
    </message>
    <message>
        <source>graph: the step is captured once and replayed with one launch, so that what is left is the device&apos;s own time.</source>
        <translation>graph：一步只捕获一次，之后以一次启动重放，余下的就是设备自己的时间。</translation>
    </message>
    <message>
        <source>fused: operations are merged into fewer kernels.</source>
        <translation>fused：把算子合并成更少的 kernel。</translation>
    </message>
    <message>
        <source>Run both into one session to see them in one chart.</source>
        <translation>在同一会话中把两种都跑一遍，即可在一张图中对照。</translation>
    </message>
    <message>
        <source>A graph needs a GPU.</source>
        <translation>graph 需要 GPU。</translation>
    </message>
    <message>
        <source>Line over models</source>
        <translation>多模型直线</translation>
    </message>
    <message>
        <source>Times a token over models and number formats, and fits one line to them</source>
        <translation>对多个模型和数据类型测量每个 token 的时间，并用一条直线拟合</translation>
    </message>
    <message>
        <source>Ticked models are timed, one after another, with random weights</source>
        <translation>勾选的模型逐个以随机权重测量</translation>
    </message>
    <message>
        <source>&amp;Models</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>D&amp;types</source>
        <translation>数据类型(&amp;T)</translation>
    </message>
    <message>
        <source>Timed generations of each row; the median counts</source>
        <translation>每行的计时生成次数；取中位数</translation>
    </message>
    <message>
        <source>Tick at least one model.</source>
        <translation>请至少勾选一个模型。</translation>
    </message>
    <message>
        <source>Tick at least one number format.</source>
        <translation>请至少勾选一种数据类型。</translation>
    </message>
    <message>
        <source>%1 runs none of these.</source>
        <translation>%1 不支持其中任何一种。</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s), up to %1</source>
        <translation>
            <numerusform>%n 行，最多 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Anatomy of a step</source>
        <translation>单步解剖</translation>
    </message>
    <message>
        <source>Traces the kernels of one decode step and times the model&apos;s parts apart</source>
        <translation>跟踪一个解码步的各内核，并对模型各部分单独计时</translation>
    </message>
    <message>
        <source>Tokens in the cache when the step is taken apart</source>
        <translation>解剖该步时 cache 中的 token 数</translation>
    </message>
    <message>
        <source>&amp;Context</source>
        <translation>上下文(&amp;C)</translation>
    </message>
    <message>
        <source>What do you e&amp;xpect?</source>
        <translation>您的预期(&amp;X)</translation>
    </message>
    <message>
        <source>Write down what you expect before you run: the record sets it beside forecast and measurement. It changes neither.</source>
        <translation>运行前写下您的预期：记录会把它与预测和实测并列。它不影响二者。</translation>
    </message>
    <message>
        <source>TPOT (ms)</source>
        <translation>TPOT（ms）</translation>
    </message>
    <message>
        <source>Time of a step at the smallest batch</source>
        <translation>最小 batch 下一步的时间</translation>
    </message>
    <message>
        <source>Ratio to floor</source>
        <translation>与下限之比</translation>
    </message>
    <message>
        <source>Measured step over the datasheet&apos;s floor, at the smallest batch</source>
        <translation>最小 batch 下实测步时与规格下限之比</translation>
    </message>
    <message>
        <source>First departure</source>
        <translation>首次偏离</translation>
    </message>
    <message>
        <source>Batch at which throughput first lies over 5 % below linear</source>
        <translation>吞吐首次低于线性 5 % 以上的 batch</translation>
    </message>
    <message>
        <source>%1: “%2” is no number above 0 and up to %3; leave it empty to expect nothing.</source>
        <translation>%1：“%2”不是大于 0 且不超过 %3 的数；留空表示没有预期。</translation>
    </message>
    <message>
        <source>One step by itself, once traced and once with its parts timed apart.</source>
        <translation>单独一步：一次跟踪，一次对各部分单独计时。</translation>
    </message>
    <message>
        <source>What is measured; each kind has fields of its own below</source>
        <translation>要测量什么；每种实验在下方有各自的字段</translation>
    </message>
    <message>
        <source>Times each ticked model in this number format</source>
        <translation>以此数据类型测量每个勾选的模型</translation>
    </message>
    <message>
        <source>Number format of weights, KV cache and arithmetic</source>
        <translation>权重、KV cache 与计算所用的数据类型</translation>
    </message>
    <message>
        <source>Tokens of the prompt that is prefilled before the first new one</source>
        <translation>第一个新 token 之前预填充的提示 token 数</translation>
    </message>
    <message>
        <source>Tokens of the prompt, the same for every model of the line</source>
        <translation>提示的 token 数，直线上的每个模型都相同</translation>
    </message>
    <message>
        <source>Tokens of each timed generation; TPOT is their mean without the first</source>
        <translation>每次计时生成的 token 数；TPOT 是除第一个以外的平均值</translation>
    </message>
    <message>
        <source>Sequences decoded together</source>
        <translation>一起解码的序列数</translation>
    </message>
    <message>
        <source>Tokens of each generation, the first included</source>
        <translation>每次生成的 token 数，含第一个</translation>
    </message>
    <message>
        <source>Ends the run after the step at hand; finished points are kept</source>
        <translation>在当前这一步之后结束运行；已完成的点会保留</translation>
    </message>
    <message>
        <source>What the engine can measure on</source>
        <translation>引擎可以测量的设备</translation>
    </message>
    <message>
        <source>Measures what the fields say and adds it to the session</source>
        <translation>按各字段测量，并把结果加入会话</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ExplanationPanel</name>
    <message>
        <source>bytes of a step</source>
        <translation>一步的字节数</translation>
    </message>
    <message>
        <source>FLOP of a step</source>
        <translation>一步的 FLOP</translation>
    </message>
    <message>
        <source>arithmetic intensity</source>
        <translation>算术强度</translation>
    </message>
    <message>
        <source>ridge</source>
        <translation>拐点</translation>
    </message>
    <message>
        <source>bound</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>memory time</source>
        <translation>访存时间</translation>
    </message>
    <message>
        <source>compute time</source>
        <translation>计算时间</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>predicted step</source>
        <translation>预测步时</translation>
    </message>
    <message>
        <source>predicted tokens a second</source>
        <translation>预测每秒 token 数</translation>
    </message>
    <message>
        <source>measured tokens a second</source>
        <translation>实测每秒 token 数</translation>
    </message>
    <message>
        <source>measured / floor</source>
        <translation>实测/下限</translation>
    </message>
    <message>
        <source>measured / predicted</source>
        <translation>实测/预测</translation>
    </message>
    <message>
        <source>achieved arithmetic rate</source>
        <translation>达到的计算速率</translation>
    </message>
    <message>
        <source>effective bytes</source>
        <translation>有效字节</translation>
    </message>
    <message>
        <source>effective bytes less W</source>
        <translation>有效字节减 W</translation>
    </message>
    <message>
        <source>AI_max</source>
        <translation>AI_max</translation>
    </message>
    <message>
        <source>b*, the batch that reaches the roof</source>
        <translation>b*，到达屋顶的 batch</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>Impossible</source>
        <translation>不可能</translation>
    </message>
    <message>
        <source>Nearly at the bandwidth</source>
        <translation>接近带宽上限</translation>
    </message>
    <message>
        <source>Memory-bound holds</source>
        <translation>确属访存受限</translation>
    </message>
    <message>
        <source>Part of the time moves no weights</source>
        <translation>部分时间没有搬运权重</translation>
    </message>
    <message>
        <source>Overhead rules</source>
        <translation>开销占主导</translation>
    </message>
    <message>
        <source>A step cannot be faster than its floor. Look for the fault: a missing synchronise, weights that stay in the cache, the wrong card or the wrong dtype.</source>
        <translation>一步不可能快于其下限。请查找错误：缺少同步、权重留在缓存里、显卡或数据类型选错。</translation>
    </message>
    <message>
        <source>The step does little else than read weights. Only fewer bytes or more bandwidth make it faster.</source>
        <translation>这一步几乎只在读权重。只有更少的字节或更高的带宽才能加速。</translation>
    </message>
    <message>
        <source>A third of the step or more is what memory takes at its best. Look at the kernels and the launches for the rest.</source>
        <translation>这一步至少有三分之一是内存在最佳情况下所需的时间。其余时间请查看内核与启动。</translation>
    </message>
    <message>
        <source>The device may be waiting for launches: look at the gaps between kernels before calling the bandwidth unused.</source>
        <translation>设备可能在等待启动：在断言带宽未被利用之前，先看内核之间的空隙。</translation>
    </message>
    <message>
        <source>The step is mostly fixed cost. A faster device would hardly help; fewer launches, a graph or a larger batch would.</source>
        <translation>这一步主要是固定开销。更快的设备帮助不大；更少的启动、图模式或更大的 batch 才有用。</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>No formulas</source>
        <translation>没有公式</translation>
    </message>
    <message>
        <source>Batch %1, prompt %2</source>
        <translation>batch %1，提示 %2</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>上下文 %1</translation>
    </message>
    <message>
        <source>No step was timed.</source>
        <translation>没有计时的步。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>The catalogue has no figures of this device, so there is no floor to hold it against.</source>
        <translation>目录中没有该设备的数据，因此没有可对照的下限。</translation>
    </message>
    <message>
        <source>The model holds</source>
        <translation>模型成立</translation>
    </message>
    <message>
        <source>The model does not hold</source>
        <translation>模型不成立</translation>
    </message>
    <message>
        <source>Measured %1, predicted %2 before the run. 0.9 to 1.3 is agreement.</source>
        <translation>实测 %1，运行前预测 %2。0.9 到 1.3 即为吻合。</translation>
    </message>
    <message>
        <source>With the ceilings measured for this run, exact accounting:</source>
        <translation>采用本次运行实测的上限，精确口径：</translation>
    </message>
    <message>
        <source>With the ceilings of the datasheet, exact accounting:</source>
        <translation>采用规格上限，精确口径：</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Choose a device and a model: what a decode step costs is worked out here.</source>
        <translation>选择设备和模型：这里会算出一个解码步的代价。</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>batch %1</translation>
    </message>
    <message>
        <source>exact accounting</source>
        <translation>精确口径</translation>
    </message>
    <message>
        <source>textbook accounting</source>
        <translation>教科书口径</translation>
    </message>
    <message>
        <source>Nothing of this was measured. Select a measured point to see it here.</source>
        <translation>以下均未实测。选中一个实测点即可在此查看。</translation>
    </message>
    <message>
        <source>TTFT floor</source>
        <translation>TTFT 下限</translation>
    </message>
    <message>
        <source>What this point says</source>
        <translation>该点说明了什么</translation>
    </message>
    <message>
        <source>host gap</source>
        <translation>主机间隙</translation>
    </message>
    <message>
        <source>wall - device, median of the steps</source>
        <translation>墙钟 - 设备，各步的中位数</translation>
    </message>
    <message>
        <source>back to back</source>
        <translation>连续执行</translation>
    </message>
    <message>
        <source>a step among %1 with no wait between them</source>
        <translation>连续 %1 步、其间不等待时的一步</translation>
    </message>
    <message>
        <source>a step with no wait between it and the next</source>
        <translation>步与步之间不等待时的一步</translation>
    </message>
    <message>
        <source>waiting for each step</source>
        <translation>逐步等待的代价</translation>
    </message>
    <message>
        <source>median wall time less back to back</source>
        <translation>墙钟时间中位数减去连续执行的一步</translation>
    </message>
    <message>
        <source>device memory used</source>
        <translation>设备已用内存</translation>
    </message>
    <message>
        <source>by all programs, as the driver counts</source>
        <translation>所有程序合计，按驱动的统计</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>graph nodes</source>
        <translation>graph 节点数</translation>
    </message>
    <message>
        <source>of the captured step</source>
        <translation>所捕获的一步</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM 频率</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>median of the steps</source>
        <translation>各步的中位数</translation>
    </message>
    <message>
        <source>throttled steps</source>
        <translation>被降频的步</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>counted in every median</source>
        <translation>都计入中位数</translation>
    </message>
    <message>
        <source>Measured beside it:</source>
        <translation>同时测得：</translation>
    </message>
    <message>
        <source>Another device</source>
        <translation>不是同一设备</translation>
    </message>
    <message>
        <source>Memory-bound</source>
        <translation>受内存限制</translation>
    </message>
    <message>
        <source>Compute-bound</source>
        <translation>受计算限制</translation>
    </message>
    <message>
        <source>Launch-bound</source>
        <translation>受启动限制</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>Verdict: %1</source>
        <translation>判定：%1</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Take care</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>below linear</source>
        <translation>低于线性</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Why the curve bends, prompt %1</source>
        <translation>曲线为何弯曲，prompt %1</translation>
    </message>
    <message>
        <source>Shares of the time beyond the smallest batch&apos;s step. First batch over 5 % below linear: measured %1, forecast %2, floor %3.</source>
        <translation>超出最小 batch 步时的时间占比。首个低于线性 5 % 以上的 batch：实测 %1，预测 %2，下限 %3。</translation>
    </message>
    <message>
        <source>(%1 to %2)</source>
        <translation>（%1 至 %2）</translation>
    </message>
    <message>
        <source>fixed + weights</source>
        <translation>固定开销 + 权重</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定开销</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>The session&apos;s steps, split</source>
        <translation>会话中各步的分解</translation>
    </message>
    <message numerus="yes">
        <source>Regression over %n point(s) of this device, dtype and mode, 95 % intervals, R² %1.</source>
        <translation>
            <numerusform>对该设备、数据类型和模式的 %n 个点做回归，95 % 区间，R² %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Measured %1, floor %2 by the datasheet. %3: %4</source>
        <translation>实测 %1，规格给出的下限 %2。%3：%4</translation>
    </message>
    <message>
        <source>That is what the ratio alone says; the verdict weighs launches, clocks and the measured ceilings as well.</source>
        <translation>这只是比值本身的说法；结论还考虑了启动、时钟和实测上限。</translation>
    </message>
    <message>
        <source>Ratio to the floor</source>
        <translation>与下限之比</translation>
    </message>
    <message>
        <source>Foretold, not measured. The run that is shown measured batch %1 at context %2: %3 a step.</source>
        <translation>这是预测，不是实测。所示运行在上下文 %2 下实测了 batch %1：每步 %3。</translation>
    </message>
    <message>
        <source>Show that point</source>
        <translation>显示该点</translation>
    </message>
    <message>
        <source>The model that was measured is not known, so its bytes and FLOP cannot be worked out. Name it: “Name the model…” stands in the message above the charts after the file was opened; where that is gone, open the imported file again.</source>
        <translation>所测的模型未知，因此无法算出其字节数和 FLOP。请指明模型：打开文件后，图表上方的消息中有“指明模型…”；若消息已消失，请重新打开所导入的文件。</translation>
    </message>
    <message>
        <source>The model is not known, so there is no floor to hold it against.</source>
        <translation>模型未知，因此没有可与之对照的下限。</translation>
    </message>
</context>
<context>
    <name>ridgepoint::FrontierChart</name>
    <message>
        <source>Capacity frontier</source>
        <translation>容量边界</translation>
    </message>
    <message>
        <source>ran</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>ran out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>%1: b = %2, %3 positions of the cache</source>
        <translation>%1：b = %2，cache %3 个位置</translation>
    </message>
    <message>
        <source>predicted need %1: weights %2 + KV %3 + workspace %4</source>
        <translation>预测需要 %1：权重 %2 + KV %3 + 工作区 %4</translation>
    </message>
    <message>
        <source>peak memory %1, %2 of the predicted</source>
        <translation>峰值内存 %1，为预测的 %2</translation>
    </message>
    <message>
        <source>memory there was: %1</source>
        <translation>可用内存：%1</translation>
    </message>
    <message>
        <source>Context (positions of the cache)</source>
        <translation>上下文（cache 位置数）</translation>
    </message>
    <message>
        <source>Batch (sequences)</source>
        <translation>Batch（序列数）</translation>
    </message>
    <message>
        <source>series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>predicted need</source>
        <translation>预测需要</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>frontier of the run</source>
        <translation>该运行的边界</translation>
    </message>
    <message>
        <source>frontier</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>the memory of this device is not known</source>
        <translation>该设备的内存未知</translation>
    </message>
    <message>
        <source>fits into %1</source>
        <translation>可容纳于 %1</translation>
    </message>
    <message>
        <source>does not fit into %1</source>
        <translation>无法容纳于 %1</translation>
    </message>
    <message>
        <source>the sliders: b = %1, n = %2</source>
        <translation>滑块：b = %1，n = %2</translation>
    </message>
    <message>
        <source>the sliders</source>
        <translation>滑块</translation>
    </message>
    <message>
        <source>ran, peak memory</source>
        <translation>已运行，峰值内存</translation>
    </message>
    <message>
        <source>predicted: full at %1</source>
        <translation>预测：满 %1</translation>
    </message>
    <message>
        <source>what if: full at %1</source>
        <translation>假设：满 %1</translation>
    </message>
    <message>
        <source>The memory of this device is not known: set it with the memory slider of the what-if panel.</source>
        <translation>该设备的内存未知：请用假设面板的内存滑块设定。</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>可容纳</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>无法容纳</translation>
    </message>
</context>
<context>
    <name>ridgepoint::GlossaryDialog</name>
    <message>
        <source>No glossary is installed.</source>
        <translation>没有安装术语表。</translation>
    </message>
    <message>
        <source>No term holds &quot;%1&quot;.</source>
        <translation>没有术语含有“%1”。</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>Find a term</source>
        <translation>查找术语</translation>
    </message>
    <message>
        <source>find a term</source>
        <translation>查找术语</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
</context>
<context>
    <name>ridgepoint::LatencyChart</name>
    <message>
        <source>Latency of each step</source>
        <translation>逐步延迟</translation>
    </message>
    <message>
        <source>loop, b=%1</source>
        <translation>循环，b=%1</translation>
    </message>
    <message>
        <source>stream, b=%1</source>
        <translation>流式，b=%1</translation>
    </message>
    <message>
        <source>b=%1 p=%2 live</source>
        <translation>b=%1 p=%2 进行中</translation>
    </message>
    <message>
        <source>Step time (%1)</source>
        <translation>步时(%1)</translation>
    </message>
    <message>
        <source>Step of the run</source>
        <translation>运行中的步</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation>运行的预测</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>over 1.5 x median</source>
        <translation>超过中位数 1.5 倍</translation>
    </message>
    <message>
        <source>%1, step %2, context %3</source>
        <translation>%1，第 %2 步，上下文 %3</translation>
    </message>
    <message>
        <source>%1, %2 x the median</source>
        <translation>%1，中位数的 %2 倍</translation>
    </message>
    <message>
        <source>host: %1 more by wall clock than on the device</source>
        <translation>主机：挂钟比设备多 %1</translation>
    </message>
    <message>
        <source>clock %1 MHz, usually %2 MHz</source>
        <translation>频率 %1 MHz，通常 %2 MHz</translation>
    </message>
    <message>
        <source>clock %1 MHz</source>
        <translation>频率 %1 MHz</translation>
    </message>
    <message>
        <source>throttled: %1</source>
        <translation>降频：%1</translation>
    </message>
    <message>
        <source>%1 C, %2 W</source>
        <translation>%1 °C，%2 W</translation>
    </message>
    <message>
        <source>an outlier; this device reports neither clock nor throttling</source>
        <translation>离群值；该设备不报告频率与降频</translation>
    </message>
    <message numerus="yes">
        <source>%1: median %2 of %n step(s)</source>
        <translation>
            <numerusform>%1：%n 步的中位数 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: forecast of the run %2</source>
        <translation>%1：运行的预测 %2</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>least</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>most</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>prediction only</source>
        <translation>仅预测</translation>
    </message>
    <message>
        <source>step, no clock read</source>
        <translation>步（未读到频率）</translation>
    </message>
    <message>
        <source>step, device time</source>
        <translation>步，设备时间</translation>
    </message>
    <message>
        <source>step, wall time</source>
        <translation>步，墙钟时间</translation>
    </message>
    <message>
        <source>throttled</source>
        <translation>降频</translation>
    </message>
    <message>
        <source>host gap</source>
        <translation>主机间隙</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <source>%1: floor, datasheet, %2</source>
        <translation>%1：下限（规格）%2</translation>
    </message>
    <message>
        <source>%1: floor, measured ceilings, %2</source>
        <translation>%1：下限（实测上限）%2</translation>
    </message>
    <message>
        <source>floor, measured ceilings</source>
        <translation>下限（实测上限）</translation>
    </message>
    <message>
        <source>longer than the axis</source>
        <translation>超出坐标轴</translation>
    </message>
</context>
<context>
    <name>ridgepoint::LessonPanel</name>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>it runs</source>
        <translation>运行成功</translation>
    </message>
    <message>
        <source>out of memory while it runs</source>
        <translation>运行中显存不足</translation>
    </message>
    <message>
        <source>skipped: the arithmetic says no</source>
        <translation>跳过：按算术放不下</translation>
    </message>
    <message>
        <source>it fails otherwise</source>
        <translation>因其他原因失败</translation>
    </message>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message>
        <source>en</source>
        <comment>language of the lessons</comment>
        <extracomment>Language of the lessons and the glossary that belong to this translation: the part of their file names, as in 02-floor.zh_CN.md. Leave &quot;en&quot; for a language that has none.</extracomment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation>未读入：</translation>
    </message>
    <message>
        <source>&amp;Lesson</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Language of the lessons</source>
        <translation>课程的语言</translation>
    </message>
    <message>
        <source>Text of the step</source>
        <translation>这一步的正文</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Your expectation</source>
        <translation>你的预期</translation>
    </message>
    <message>
        <source>your expectation</source>
        <translation>你的预期</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>检查(&amp;C)</translation>
    </message>
    <message>
        <source>Show the &amp;answer</source>
        <translation>显示答案(&amp;A)</translation>
    </message>
    <message>
        <source>After an expectation was given</source>
        <translation>写下预期之后才能显示</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>上一步(&amp;B)</translation>
    </message>
    <message>
        <source>Ne&amp;xt</source>
        <translation>下一步(&amp;X)</translation>
    </message>
    <message>
        <source>Set up a&amp;gain</source>
        <translation>重新设置(&amp;G)</translation>
    </message>
    <message>
        <source>Puts model, device, sliders and charts back to what this step needs</source>
        <translation>把模型、设备、滑块和图表恢复为这一步需要的样子</translation>
    </message>
    <message>
        <source>The recording %1 was not opened. Let go of what stands in its way, then set up again.</source>
        <translation>录制 %1 没有打开。请先处理妨碍它打开的内容，然后重新设置。</translation>
    </message>
    <message>
        <source>No lessons are installed. A file lessons/NAME.md in the folder of your data is one.</source>
        <translation>没有安装课程。在你的数据文件夹中放一个 lessons/NAME.md 文件就是一课。</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Recording: %1. Nothing is measured now.</source>
        <translation>录制：%1。现在没有进行任何测量。</translation>
    </message>
    <message>
        <source>Another session is open: the figures are still those of the recording.</source>
        <translation>打开的是另一个会话：这里的数字仍是录制中的。</translation>
    </message>
    <message>
        <source>Values were moved by hand: the figures follow them.</source>
        <translation>数值已被手动改动：这里的数字随之变化。</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>请选择…</translation>
    </message>
    <message>
        <source>Recorded: %1</source>
        <translation>录制数据：%1</translation>
    </message>
    <message>
        <source>Worked out now: %1</source>
        <translation>现在算出：%1</translation>
    </message>
    <message>
        <source>Ne&amp;xt lesson</source>
        <translation>下一课(&amp;X)</translation>
    </message>
    <message>
        <source>Choose one first: a guess is worth more than none.</source>
        <translation>请先选一个：猜一猜也比不猜好。</translation>
    </message>
    <message>
        <source>As you expected.</source>
        <translation>与你的预期一致。</translation>
    </message>
    <message>
        <source>Not so. Think again, or look at the answer.</source>
        <translation>不是这样。再想一想，或者看答案。</translation>
    </message>
    <message>
        <source>Write a number first: a guess is worth more than none.</source>
        <translation>请先写一个数：猜一猜也比不猜好。</translation>
    </message>
    <message>
        <source>Write a number first, in %1 or with its unit: a guess is worth more than none.</source>
        <translation>请先写一个数，单位为 %1，或自己写上单位：猜一猜也比不猜好。</translation>
    </message>
    <message>
        <source>As you expected, within %1 %.</source>
        <translation>与你的预期一致，误差在 %1 % 以内。</translation>
    </message>
    <message>
        <source>Too much, by a factor of %1. Think again, or look at the answer.</source>
        <translation>大了，是实际的 %1 倍。再想一想，或者看答案。</translation>
    </message>
    <message>
        <source>Too little, by a factor of %1. Think again, or look at the answer.</source>
        <translation>小了，实际是它的 %1 倍。再想一想，或者看答案。</translation>
    </message>
    <message>
        <source>Another lesson; its first step is set up at once</source>
        <translation>换一课；其第一步会立即布置好</translation>
    </message>
    <message>
        <source>A number in the unit beside it, or with its own; Return checks it</source>
        <translation>以旁边的单位填写数字，或自带单位；回车即检查</translation>
    </message>
    <message>
        <source>What you expect, before you look</source>
        <translation>先写下你的预期，再看答案</translation>
    </message>
    <message>
        <source>Sets your expectation against the figure</source>
        <translation>把你的预期与实际数值对照</translation>
    </message>
    <message>
        <source>To the step before</source>
        <translation>回到上一步</translation>
    </message>
    <message>
        <source>To the next step, or the next lesson after the last one</source>
        <translation>到下一步；最后一步之后到下一课</translation>
    </message>
    <message>
        <source>The session in front was left as it is. “Set up” brings there what this step needs.</source>
        <translation>当前会话保持原样。点“设置”会带入这一步所需的内容。</translation>
    </message>
    <message>
        <source>Another session is in front and was left as it is: the figures are those of the step. “Set up” brings them there.</source>
        <translation>当前是另一个会话，保持原样：图文数字仍是这一步的。点“设置”会带入。</translation>
    </message>
    <message>
        <source>Set &amp;up</source>
        <translation>设置(&amp;U)</translation>
    </message>
</context>
<context>
    <name>ridgepoint::LineChart</name>
    <message>
        <source>Line over models</source>
        <translation>多模型直线</translation>
    </message>
    <message>
        <source>line</source>
        <translation>直线</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>measured, %1</source>
        <translation>实测，%1</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>may be read from the cache</source>
        <translation>可能从缓存读取</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>weights %1, TPOT %2</source>
        <translation>权重 %1，TPOT %2</translation>
    </message>
    <message>
        <source>repeats from %1 to %2</source>
        <translation>各次重复从 %1 到 %2</translation>
    </message>
    <message>
        <source>by the line %1, residual %2</source>
        <translation>按直线 %1，残差 %2</translation>
    </message>
    <message>
        <source>reading weights %1</source>
        <translation>读取权重占 %1</translation>
    </message>
    <message>
        <source>forecast %1, measured / forecast %2</source>
        <translation>预测 %1，实测 / 预测 %2</translation>
    </message>
    <message>
        <source>imported: not measured by this program</source>
        <translation>导入：不是本程序实测</translation>
    </message>
    <message>
        <source>mode %1</source>
        <translation>模式 %1</translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation>运行的预测</translation>
    </message>
    <message>
        <source>live</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>%1: measuring, %2 a step</source>
        <translation>%1：正在测量，每步 %2</translation>
    </message>
    <message>
        <source>Weights that a step reads (GB)</source>
        <translation>每步读取的权重（GB）</translation>
    </message>
    <message>
        <source>TPOT (ms)</source>
        <translation>TPOT（ms）</translation>
    </message>
    <message>
        <source>series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>by the line</source>
        <translation>按直线</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>读取权重</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>all rows, %1</source>
        <translation>所有行，%1</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>above the device&apos;s %1</source>
        <translation>高于设备的 %1</translation>
    </message>
    <message>
        <source>family %1</source>
        <translation>系列 %1</translation>
    </message>
    <message>
        <source>%1 × weights − %2</source>
        <translation>%1 × 权重 − %2</translation>
    </message>
    <message>
        <source>%1 × weights + %2</source>
        <translation>%1 × 权重 + %2</translation>
    </message>
    <message>
        <source>implies %1</source>
        <translation>意味着 %1</translation>
    </message>
    <message>
        <source> (95 %: from %1)</source>
        <translation>（95 %：不低于 %1）</translation>
    </message>
    <message>
        <source> (95 %: %1 to %2)</source>
        <translation>（95 %：%1 至 %2）</translation>
    </message>
    <message>
        <source>R² %1 over %2 rows</source>
        <translation>R² %1，共 %2 行</translation>
    </message>
    <message>
        <source>%1: implies %2 &gt; %3 of the device</source>
        <translation>%1：意味着 %2 &gt; 设备的 %3</translation>
    </message>
    <message>
        <source>hollow: fp32</source>
        <translation>空心：fp32</translation>
    </message>
    <message>
        <source>line, 95 % band</source>
        <translation>直线，95 % 带</translation>
    </message>
    <message>
        <source>floor at the measured %1</source>
        <translation>按实测 %1 的下限</translation>
    </message>
    <message>
        <source>floor at the nominal %1</source>
        <translation>按标称 %1 的下限</translation>
    </message>
    <message>
        <source>lines of the families</source>
        <translation>各系列的直线</translation>
    </message>
    <message>
        <source>above the ceiling</source>
        <translation>高于上限</translation>
    </message>
    <message>
        <source>no result</source>
        <translation>无结果</translation>
    </message>
    <message>
        <source>imported from %1</source>
        <translation>从 %1 导入</translation>
    </message>
    <message>
        <source>%1, mode %2</source>
        <translation>%1，模式 %2</translation>
    </message>
    <message>
        <source>forecast: %1</source>
        <translation>预测：%1</translation>
    </message>
    <message>
        <source>floor, datasheet</source>
        <translation>下限（规格）</translation>
    </message>
    <message>
        <source>floor, measured ceilings</source>
        <translation>下限（实测上限）</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
</context>
<context>
    <name>ridgepoint::MainWindow</name>
    <message>
        <source>No engine: predictions only</source>
        <translation>没有引擎：仅能预测</translation>
    </message>
    <message>
        <source>%1
Predictions, tables and saved sessions work without it.</source>
        <translation>%1
没有它，预测、表格和已保存的会话仍可使用。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1
The run goes on and its results are kept in memory: save the session before you quit.</source>
        <translation>%1
运行继续，结果保留在内存中：退出前请保存会话。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>What runs did, line by line, appears here.</source>
        <translation>运行过程逐行显示在这里。</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>What this point says</source>
        <translation>该点说明了什么</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设推算</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New session</source>
        <translation>新建会话(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Export &amp;chart…</source>
        <translation>导出图表(&amp;C)…</translation>
    </message>
    <message>
        <source>Export &amp;tables…</source>
        <translation>导出表格(&amp;T)…</translation>
    </message>
    <message>
        <source>Export re&amp;port folder…</source>
        <translation>导出报告文件夹(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run the experiment</source>
        <translation>运行实验(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Calibrate</source>
        <translation>校准(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;TTFT and TPOT</source>
        <translation>TTFT 与 TPOT(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Batch sweep</source>
        <translation>Batch 扫描(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;All charts</source>
        <translation>全部图表(&amp;A)</translation>
    </message>
    <message>
        <source>Run s&amp;hown</source>
        <translation>显示的运行(&amp;H)</translation>
    </message>
    <message>
        <source>A&amp;ccounting</source>
        <translation>计算口径(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Exact: what a step really streams</source>
        <translation>精确(&amp;E):一步真正读取的数据</translation>
    </message>
    <message>
        <source>&amp;Textbook: W = 2 N, FLOP = 2 N b</source>
        <translation>教科书(&amp;T):W = 2 N,FLOP = 2 N b</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About Ridgepoint</source>
        <translation>关于 Ridgepoint(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
    <message>
        <source>Engine not loaded yet</source>
        <translation>引擎尚未加载</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>What the run does</source>
        <translation>运行正在做什么</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation>已用内存</translation>
    </message>
    <message>
        <source>The run has not stopped yet. Its finished points are in the journal and are offered at the next start. Quit without waiting?</source>
        <translation>运行尚未停止。已完成的点在日志文件中，下次启动时可以恢复。不等待就退出吗?</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>A run is going. Stop it and quit?</source>
        <translation>正在运行。停止并退出吗?</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>not loaded yet</source>
        <translation>尚未加载</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Ridgepoint %1&lt;/h3&gt;&lt;p&gt;A workbench for LLM decode: prediction and measurement on one axis.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Ridgepoint %1&lt;/h3&gt;&lt;p&gt;大语言模型解码工作台：预测与实测在同一坐标轴上。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Qt</source>
        <translation>Qt</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Journals</source>
        <translation>运行日志</translation>
    </message>
    <message>
        <source>Devices and models</source>
        <translation>设备与模型</translation>
    </message>
    <message>
        <source>&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation>&lt;p&gt;自由软件，按 GNU 通用公共许可证第 3 版或更新版本发布。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>About Ridgepoint</source>
        <translation>关于 Ridgepoint</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Open session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>%1 was imported: its steps were measured by %2, not by this program.</source>
        <translation>已导入 %1：其中各步由 %2 测得，并非本程序测量。</translation>
    </message>
    <message>
        <source>%1 holds no results.</source>
        <translation>%1 中没有结果。</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>%1[*] – Ridgepoint</source>
        <translation>%1[*] – Ridgepoint</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>TTFT and TPOT</source>
        <translation>TTFT 与 TPOT</translation>
    </message>
    <message>
        <source>Batch sweep</source>
        <translation>Batch 扫描</translation>
    </message>
    <message>
        <source>%1: %2, %3 on %4</source>
        <translation>%1:%2,%3，设备 %4</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>The journal %1 could not be removed: %2.</source>
        <translation>无法删除日志文件 %1:%2。</translation>
    </message>
    <message>
        <source>There is no chart named %1.</source>
        <translation>没有名为 %1 的图表。</translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation>已导出 %1</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>逐步记录</translation>
    </message>
    <message>
        <source>Export tables</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Table:</source>
        <translation>表格：</translation>
    </message>
    <message>
        <source>Export report folder</source>
        <translation>导出报告文件夹</translation>
    </message>
    <message>
        <source>Export here</source>
        <translation>导出到这里</translation>
    </message>
    <message>
        <source>Copied the chart “%1”</source>
        <translation>已复制图表“%1”</translation>
    </message>
    <message>
        <source>Copied the record table</source>
        <translation>已复制记录表</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>A field of the experiment is wrong; the panel says which. Correct it and run again.</source>
        <translation>实验的某一项填写有误，面板中已标出。请改正后再运行。</translation>
    </message>
    <message>
        <source>A run is going already. Stop it first, or wait for its end.</source>
        <translation>已有运行在进行。请先停止它或等它结束。</translation>
    </message>
    <message>
        <source>%1
The run goes on without a journal and its results are kept in memory: save the session before you quit.</source>
        <translation>%1
运行在没有日志文件的情况下继续，结果保留在内存中：退出前请保存会话。</translation>
    </message>
    <message>
        <source>Loading the engine…</source>
        <translation>正在加载引擎…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Started on %1 with %2.</source>
        <translation>在 %1 上启动，使用 %2。</translation>
    </message>
    <message>
        <source>Batch %1, prompt %2: %3 a step, %4.</source>
        <translation>Batch %1，提示 %2：每步 %3，%4。</translation>
    </message>
    <message>
        <source>Batch %1, prompt %2: %3. %4</source>
        <translation>Batch %1，提示 %2：%3。%4</translation>
    </message>
    <message>
        <source>Calibrated: %1 read%2.</source>
        <translation>校准完成：读取 %1%2。</translation>
    </message>
    <message>
        <source>, %1 fixed cost a step</source>
        <translation>，每步固定开销 %1</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>Stopped; the finished results are kept.</source>
        <translation>已停止;完成的结果已保留。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>%1
The results up to here are kept.</source>
        <translation>%1
到此为止的结果已保留。</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Stopping… %1</source>
        <translation>正在停止… %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>No device</source>
        <translation>没有设备</translation>
    </message>
    <message>
        <source>Engine: %1.</source>
        <translation>引擎：%1。</translation>
    </message>
    <message>
        <source>Device %1: %2%3</source>
        <translation>设备 %1:%2%3</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Open sa&amp;mple</source>
        <translation>打开示例(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Series</source>
        <translation>系列(&amp;S)</translation>
    </message>
    <message>
        <source>SM &amp;clock</source>
        <translation>SM 频率(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Throttling</source>
        <translation>降频(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Wall time beside device time</source>
        <translation>在设备时间旁显示墙钟时间(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Show everything</source>
        <translation>显示全部范围(&amp;S)</translation>
    </message>
    <message>
        <source>Clock, temperature and power</source>
        <translation>频率、温度和功率</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No samples are installed</source>
        <translation>没有安装示例</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>The program could not be started anew. Quit, and start it by hand.</source>
        <translation>无法重新启动程序。请退出后手动启动。</translation>
    </message>
    <message>
        <source>The program could not be started anew. Quit, start it by hand and open %1.</source>
        <translation>无法重新启动程序。请退出，手动启动后打开 %1。</translation>
    </message>
    <message>
        <source>This process can no longer use %1. Restart the program, or choose another device.</source>
        <translation>本进程无法再使用 %1。请重新启动程序，或选择其他设备。</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>throttled: %1</source>
        <translation>降频：%1</translation>
    </message>
    <message>
        <source>%1
The results up to here are kept. This process can no longer use %2: restart the program to use it again, or go on with another device.</source>
        <translation>%1
到此为止的结果已保留。本进程无法再使用 %2：重新启动程序后可再次使用，或改用其他设备继续。</translation>
    </message>
    <message>
        <source>Colour p&amp;oints by</source>
        <translation>点的着色依据(&amp;O)</translation>
    </message>
    <message>
        <source>The prediction uses the ceilings that were measured on %1 on %2; Calibrate measures them anew.</source>
        <translation>预测采用 %2 在 %1 上实测的上限；“校准”会重新测量。</translation>
    </message>
    <message>
        <source>&amp;Import line CSV…</source>
        <translation>导入直线 CSV(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Line over models</source>
        <translation>多模型直线(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Lines of the families</source>
        <translation>各系列的直线(&amp;L)</translation>
    </message>
    <message>
        <source>Ridgepoint sessions (*.json);;Rows of a line (*.csv);;All files (*)</source>
        <translation>Ridgepoint 会话 (*.json);;直线的数据行 (*.csv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import line CSV</source>
        <translation>导入直线 CSV</translation>
    </message>
    <message>
        <source>Rows of a line (*.csv);;All files (*)</source>
        <translation>直线的数据行 (*.csv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Memory bandwidth of the device that these rows were measured on, in GB/s (0: not known):</source>
        <translation>测量这些行的设备的内存带宽，单位 GB/s（0：未知）：</translation>
    </message>
    <message>
        <source>A run is going. Import the rows when it has ended.</source>
        <translation>有运行正在进行。请在其结束后再导入。</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n further line(s) could not be used.</source>
        <translation>
            <numerusform>另有 %n 行无法使用。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Imported %1: %n row(s).</source>
        <translation>
            <numerusform>已导入 %1：%n 行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Some lines of %1 were left out.</source>
        <translation>%1 中有些行被略去。</translation>
    </message>
    <message>
        <source>Line over models</source>
        <translation>多模型直线</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: weights %2, TPOT %3.</source>
        <translation>%1：权重 %2，TPOT %3。</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1：%2。%3</translation>
    </message>
    <message>
        <source>Export Chrome &amp;trace…</source>
        <translation>导出 Chrome 跟踪(&amp;T)…</translation>
    </message>
    <message>
        <source>The kernels of the anatomy that is shown, for Perfetto or chrome://tracing</source>
        <translation>所示解剖的各内核，供 Perfetto 或 chrome://tracing 使用</translation>
    </message>
    <message>
        <source>&amp;Anatomy of a step</source>
        <translation>单步解剖(&amp;A)</translation>
    </message>
    <message>
        <source>Anatomy of a step</source>
        <translation>单步解剖</translation>
    </message>
    <message>
        <source>There is no traced step to export: run the anatomy of a step on a device that can trace.</source>
        <translation>没有可导出的跟踪：请在能够跟踪的设备上运行单步解剖。</translation>
    </message>
    <message>
        <source>Export Chrome trace</source>
        <translation>导出 Chrome 跟踪</translation>
    </message>
    <message>
        <source>Trace (*.json)</source>
        <translation>跟踪 (*.json)</translation>
    </message>
    <message>
        <source>HTML: one file with the charts in it</source>
        <translation>HTML：包含图表的单个文件</translation>
    </message>
    <message>
        <source>PDF: pages to print</source>
        <translation>PDF：可打印的页面</translation>
    </message>
    <message>
        <source>Markdown: text beside its charts</source>
        <translation>Markdown：文本与图表分开存放</translation>
    </message>
    <message>
        <source>Format:</source>
        <translation>格式：</translation>
    </message>
    <message>
        <source>%1 is not empty. Files of the same names (%2, session.json, the charts and tables) are replaced.</source>
        <translation>%1 不是空文件夹。同名文件（%2、session.json、图表和表格）将被替换。</translation>
    </message>
    <message>
        <source>Report written to %1 (files: %2). Begin with %3.</source>
        <translation>报告已写入 %1（文件数：%2）。请先看 %3。</translation>
    </message>
    <message>
        <source>Re&amp;play recording</source>
        <translation>回放录制(&amp;P)</translation>
    </message>
    <message>
        <source>At its own &amp;pace…</source>
        <translation>按原速度(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;4 times as fast…</source>
        <translation>4 倍速(&amp;4)…</translation>
    </message>
    <message>
        <source>&amp;16 times as fast…</source>
        <translation>16 倍速(&amp;1)…</translation>
    </message>
    <message>
        <source>At &amp;once…</source>
        <translation>立即完成(&amp;O)…</translation>
    </message>
    <message>
        <source>Replay recording</source>
        <translation>回放录制</translation>
    </message>
    <message>
        <source>Sessions (*.json);;All files (*)</source>
        <translation>会话 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 holds no results that could be replayed.</source>
        <translation>%1 中没有可回放的结果。</translation>
    </message>
    <message>
        <source>Recording: %1 is played again, %2. Nothing is measured now.</source>
        <translation>录制：正在回放 %1，%2。当前不进行任何测量。</translation>
    </message>
    <message>
        <source>%1× its pace</source>
        <translation>%1 倍速</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>立即完成</translation>
    </message>
    <message>
        <source>Presenter &amp;mode</source>
        <translation>演示模式(&amp;M)</translation>
    </message>
    <message>
        <source>Larger type and thicker lines, to be read from the back of a room</source>
        <translation>更大的字和更粗的线，坐在后排也能看清</translation>
    </message>
    <message>
        <source>L&amp;essons</source>
        <translation>课程(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>术语表(&amp;G)</translation>
    </message>
    <message>
        <source>This is a recording that ships with the program (%1): nothing of it is measured now.</source>
        <translation>这是随程序附带的录制（%1）：其中没有任何内容是现在测量的。</translation>
    </message>
    <message>
        <source>The recording %1 is not installed. Install the samples, or choose another lesson.</source>
        <translation>录制 %1 没有安装。请安装示例，或选择另一课。</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Open sessions</source>
        <translation>打开的会话</translation>
    </message>
    <message>
        <source>C&amp;lose tab</source>
        <translation>关闭标签页(&amp;L)</translation>
    </message>
    <message>
        <source>Reopen these sessions at the next &amp;start</source>
        <translation>下次启动时重新打开这些会话(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Copy &amp;chart as picture</source>
        <translation>将图表复制为图片(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;table as text</source>
        <translation>将表格复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Next session</source>
        <translation>下一个会话(&amp;N)</translation>
    </message>
    <message>
        <source>Pre&amp;vious session</source>
        <translation>上一个会话(&amp;V)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Brings the tab of the run that is going to the front</source>
        <translation>切换到正在运行的标签页</translation>
    </message>
    <message>
        <source>Run in “%1”</source>
        <translation>“%1”中的运行</translation>
    </message>
    <message>
        <source>%1 is open in another tab. Close that tab first, or save under another name.</source>
        <translation>%1 已在另一个标签页中打开。请先关闭那个标签页，或另存为其他名称。</translation>
    </message>
    <message>
        <source>A session was interrupted on %1. Its unsaved results are in the journal.</source>
        <translation>一个会话于 %1 中断。其未保存的结果在日志文件中。</translation>
    </message>
    <message>
        <source>Interrupted sessions that wait after it: %1.</source>
        <translation>其后还有中断的会话：%1 个。</translation>
    </message>
    <message>
        <source>Recover all</source>
        <translation>全部恢复</translation>
    </message>
    <message>
        <source>Discard the interrupted session? It cannot be brought back.</source>
        <translation>要丢弃中断的会话吗？丢弃后无法找回。</translation>
    </message>
    <message>
        <source>Recovered an interrupted session; save it to keep it.</source>
        <translation>已恢复一个中断的会话；请保存以保留它。</translation>
    </message>
    <message>
        <source>Copied the figures of “%1”</source>
        <translation>已复制“%1”的数据</translation>
    </message>
    <message>
        <source>A run is going in “%1”: two at a time would be in each other&apos;s times. Stop it first, or wait for its end.</source>
        <translation>“%1”中正在运行：两个同时进行会互相影响计时。请先停止它，或等它结束。</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>转到该运行</translation>
    </message>
    <message>
        <source>A recording from %1 with %2, played again.</source>
        <translation>来自 %1、由 %2 录制的记录，重新播放。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>a run is going</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>A run is going in “%1”. Stop it and close the tab?</source>
        <translation>“%1”中正在运行。要停止它并关闭标签页吗？</translation>
    </message>
    <message>
        <source>Not opened again, for they are no longer there: %1.</source>
        <translation>以下文件已不存在，未重新打开：%1。</translation>
    </message>
    <message>
        <source>Ceilings</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Colour of points</source>
        <translation>点的颜色</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>墙钟时间</translation>
    </message>
    <message>
        <source>Lines of families</source>
        <translation>各系列的直线</translation>
    </message>
    <message>
        <source>Chosen point</source>
        <translation>所选的点</translation>
    </message>
    <message>
        <source>Axes of “%1”</source>
        <translation>“%1”的坐标轴</translation>
    </message>
    <message>
        <source>Run shown</source>
        <translation>显示的运行</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>A part of the window could not be shown: %1 The session is kept; save it and open it again.</source>
        <translation>窗口的一部分无法显示：%1 会话仍保留；请保存后重新打开。</translation>
    </message>
    <message>
        <source>Compar&amp;e sessions…</source>
        <translation>对比会话(&amp;E)…</translation>
    </message>
    <message>
        <source>Add session</source>
        <translation>添加会话</translation>
    </message>
    <message>
        <source>Name the model…</source>
        <translation>指明模型…</translation>
    </message>
    <message>
        <source>Name the device…</source>
        <translation>指明设备…</translation>
    </message>
    <message>
        <source>Name the model</source>
        <translation>指明模型</translation>
    </message>
    <message>
        <source>Name the device</source>
        <translation>指明设备</translation>
    </message>
    <message>
        <source>The model that was measured:</source>
        <translation>所测的模型：</translation>
    </message>
    <message>
        <source>The device that was measured on:</source>
        <translation>测量所用的设备：</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>Not opened (files: %1):</source>
        <translation>未能打开（%1 个文件）：</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>ridgepoint::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>ridgepoint::RecordTables</name>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
    <message>
        <source>Save CSV…</source>
        <translation>保存 CSV…</translation>
    </message>
    <message>
        <source>Batch sweep</source>
        <translation>Batch 扫描</translation>
    </message>
    <message>
        <source>TTFT and TPOT</source>
        <translation>TTFT 与 TPOT</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>Nothing measured yet: choose Batch sweep and press Run.</source>
        <translation>尚未实测：选择“batch 扫描”并按“运行”。</translation>
    </message>
    <message>
        <source>The first point is being timed; its row appears here when it is finished.</source>
        <translation>正在测量第一个点；完成后其行会出现在这里。</translation>
    </message>
    <message>
        <source>This run ended before its first point was finished: press Run to time it again.</source>
        <translation>本次运行在第一个点完成前就结束了：按“运行”重新测量。</translation>
    </message>
    <message>
        <source>The run that is shown is no batch sweep: choose another one above, or run a batch sweep.</source>
        <translation>当前显示的运行不是 batch 扫描：请在上方另选，或运行一次 batch 扫描。</translation>
    </message>
    <message>
        <source>Nothing measured yet: choose TTFT and TPOT and press Run.</source>
        <translation>尚未实测：选择“TTFT 与 TPOT”并按“运行”。</translation>
    </message>
    <message>
        <source>The record appears here when every method has finished.</source>
        <translation>所有方法完成后，记录会出现在这里。</translation>
    </message>
    <message>
        <source>This run ended before its record was complete: press Run to time it again.</source>
        <translation>本次运行在记录完整之前就结束了：按“运行”重新测量。</translation>
    </message>
    <message>
        <source>The run that is shown has no TTFT record: choose another one above, or run TTFT and TPOT.</source>
        <translation>当前显示的运行没有 TTFT 记录：请在上方另选，或运行“TTFT 与 TPOT”。</translation>
    </message>
    <message>
        <source>Nothing measured yet: press Run, and every timed step is listed here.</source>
        <translation>尚未实测：按“运行”，每个计时步都会列在这里。</translation>
    </message>
    <message>
        <source>The selected point has no timed steps: select another one, or show the steps of every point.</source>
        <translation>选中的点没有计时步：请另选一个，或显示所有点的步。</translation>
    </message>
    <message>
        <source>The run that is shown has no timed steps: choose another one above, or press Run.</source>
        <translation>当前显示的运行没有计时步：请在上方另选，或按“运行”。</translation>
    </message>
    <message>
        <source>Nothing measured yet: choose Calibrate and press Run.</source>
        <translation>尚未实测：选择“校准”并按“运行”。</translation>
    </message>
    <message>
        <source>The samples appear here when the calibration has finished.</source>
        <translation>校准完成后，样本会出现在这里。</translation>
    </message>
    <message>
        <source>The run that is shown has no calibration: choose another one above, or run Calibrate.</source>
        <translation>当前显示的运行没有校准：请在上方另选，或运行校准。</translation>
    </message>
    <message>
        <source>item</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>计数口径</translation>
    </message>
    <message>
        <source>Only the selected point</source>
        <translation>仅选中的点</translation>
    </message>
    <message>
        <source>Off: the steps of every point of the run</source>
        <translation>关闭：显示本次运行所有点的步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>逐步记录</translation>
    </message>
    <message>
        <source>R&amp;un shown</source>
        <translation>显示的运行(&amp;U)</translation>
    </message>
    <message>
        <source>Run shown</source>
        <translation>显示的运行</translation>
    </message>
    <message>
        <source>Saves this table at full precision</source>
        <translation>以完整精度保存此表</translation>
    </message>
    <message>
        <source>Record tables</source>
        <translation>记录表</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Line over models</source>
        <translation>多模型直线</translation>
    </message>
    <message>
        <source>%1 · imported from %2</source>
        <translation>%1 · 从 %2 导入</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n 个模型</numerusform>
        </translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>least</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>greatest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>by the line</source>
        <translation>按直线</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>读取权重</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>meas./forecast</source>
        <translation>实测/预测</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>new tokens</source>
        <translation>新 token 数</translation>
    </message>
    <message>
        <source>graph nodes</source>
        <translation>graph 节点数</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Nothing measured yet: choose Line over models and press Run, or import a CSV.</source>
        <translation>尚未实测：选择“多模型直线”并按“运行”，或导入 CSV。</translation>
    </message>
    <message>
        <source>The first row is being timed; it appears here when it is finished.</source>
        <translation>正在测量第一行；完成后会出现在这里。</translation>
    </message>
    <message>
        <source>This run ended before its first row was finished: press Run to time it again.</source>
        <translation>本次运行在第一行完成前就结束了：按“运行”重新测量。</translation>
    </message>
    <message>
        <source>The run that is shown is no line over models: choose another one above, or run one.</source>
        <translation>当前显示的运行不是多模型直线：请在上方另选，或运行一次。</translation>
    </message>
    <message>
        <source>What the line says</source>
        <translation>直线说明了什么</translation>
    </message>
    <message>
        <source>Anatomy of a step</source>
        <translation>单步解剖</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>TPOT, b=%1, p=%2</source>
        <translation>TPOT，b=%1，p=%2</translation>
    </message>
    <message>
        <source>ratio to floor, b=%1, p=%2</source>
        <translation>与下限之比，b=%1，p=%2</translation>
    </message>
    <message>
        <source>first departure, p=%1</source>
        <translation>首次偏离，p=%1</translation>
    </message>
    <message>
        <source>%1: expected %2, forecast %3, measured %4</source>
        <translation>%1：预期 %2，预测 %3，实测 %4</translation>
    </message>
    <message>
        <source> (%1 x the expected)</source>
        <translation>（为预期的 %1 倍）</translation>
    </message>
    <message>
        <source>What was expected</source>
        <translation>运行前的预期</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>bytes/s</source>
        <translation>字节/秒</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>traced</source>
        <translation>跟踪时</translation>
    </message>
    <message>
        <source>Nothing measured yet: choose Anatomy of a step and press Run.</source>
        <translation>尚无测量：请选择“单步解剖”并按“运行”。</translation>
    </message>
    <message>
        <source>The parts appear here when the step has been taken apart.</source>
        <translation>解剖完成后，各部分会显示在此处。</translation>
    </message>
    <message>
        <source>This run ended before the step was taken apart: press Run to try again.</source>
        <translation>该运行在解剖完成前结束：请按“运行”重试。</translation>
    </message>
    <message>
        <source>The run that is shown is no anatomy: choose another one above, or run one.</source>
        <translation>所示的运行不是单步解剖：请在上方选择另一个，或运行一次。</translation>
    </message>
    <message>
        <source>What the anatomy says</source>
        <translation>解剖结果</translation>
    </message>
    <message>
        <source>Anatomy</source>
        <translation>解剖</translation>
    </message>
    <message>
        <source>A row chooses its point on every chart; Ctrl+C copies the rows that are selected</source>
        <translation>选中一行即在每张图表上选中对应的点；Ctrl+C 复制选中的行</translation>
    </message>
</context>
<context>
    <name>ridgepoint::RooflineChart</name>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>measured prefill: b = %1, p = %2
%3, %4
%5</source>
        <translation>实测预填充：b = %1，p = %2
%3，%4
%5</translation>
    </message>
    <message>
        <source>median of the repeats</source>
        <translation>各次重复的中位数</translation>
    </message>
    <message>
        <source>one sample, not repeated</source>
        <translation>单个样本，未重复</translation>
    </message>
    <message>
        <source>measured prefill</source>
        <translation>实测预填充</translation>
    </message>
    <message>
        <source>Arithmetic intensity (FLOP/B)</source>
        <translation>算术强度 (FLOP/B)</translation>
    </message>
    <message>
        <source>Rate (FLOP/s)</source>
        <translation>速率 (FLOP/s)</translation>
    </message>
    <message>
        <source>series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>intensity FLOP/B</source>
        <translation>强度 FLOP/B</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>datasheet roof</source>
        <translation>规格屋顶</translation>
    </message>
    <message>
        <source>measured roof</source>
        <translation>实测屋顶</translation>
    </message>
    <message>
        <source>what-if roof</source>
        <translation>假设屋顶</translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation>受限于%1</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>访存</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>prefill p=%1</source>
        <translation>预填充 p=%1</translation>
    </message>
    <message>
        <source>predicted prefill: b = %1, p = %2
floor %3, %4
bound by %5</source>
        <translation>预测预填充：b = %1，p = %2
下限 %3，%4
受限于%5</translation>
    </message>
    <message>
        <source>predicted prefill</source>
        <translation>预测预填充</translation>
    </message>
    <message>
        <source>AI max</source>
        <translation>AI_max</translation>
    </message>
    <message>
        <source>b=%1 live</source>
        <translation>b=%1 进行中</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>measured decode</source>
        <translation>实测解码</translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation>提示 %1</translation>
    </message>
    <message>
        <source>measured, prompt %1</source>
        <translation>实测，提示 %1</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>ridge %1</source>
        <translation>拐点 %1</translation>
    </message>
    <message>
        <source>AI max %1 (n=%2)</source>
        <translation>AI_max %1 (n=%2)</translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation>运行的预测</translation>
    </message>
    <message>
        <source>forecast, prompt %1</source>
        <translation>预测，提示 %1</translation>
    </message>
    <message>
        <source>%1 of the measured roof</source>
        <translation>达到实测屋顶的 %1</translation>
    </message>
    <message>
        <source>%1 of the datasheet&apos;s roof</source>
        <translation>达到规格屋顶的 %1</translation>
    </message>
    <message>
        <source>part of a step: %1 (b = %2, n = %3)
%4, %5, %6</source>
        <translation>一步的部分：%1（b = %2，n = %3）
%4，%5，%6</translation>
    </message>
    <message>
        <source>part: %1</source>
        <translation>部分：%1</translation>
    </message>
    <message>
        <source>of the roof</source>
        <translation>占屋顶</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>part of a step</source>
        <translation>一步的部分</translation>
    </message>
    <message>
        <source>prefill, foretold</source>
        <translation>预填充，预测</translation>
    </message>
</context>
<context>
    <name>ridgepoint::SessionCharts</name>
    <message>
        <source>%1: %2 in %3 on %4</source>
        <translation>%1：%2，%3，设备 %4</translation>
    </message>
    <message>
        <source>%1, imported from %2</source>
        <translation>%1，从 %2 导入</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的%1</translation>
    </message>
</context>
<context>
    <name>ridgepoint::StepsModel</name>
    <message>
        <source>batch %1, prompt %2</source>
        <translation>batch %1，提示 %2</translation>
    </message>
    <message>
        <source>method %1</source>
        <translation>方法 %1</translation>
    </message>
    <message>
        <source>%1 (running)</source>
        <translation>%1(运行中)</translation>
    </message>
    <message>
        <source>not measured on this device</source>
        <translation>此设备不测量该项</translation>
    </message>
    <message>
        <source>point</source>
        <translation>点</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>device ms</source>
        <translation>设备 ms</translation>
    </message>
    <message>
        <source>wall ms</source>
        <translation>挂钟 ms</translation>
    </message>
    <message>
        <source>SM clock MHz</source>
        <translation>SM 频率 MHz</translation>
    </message>
    <message>
        <source>memory clock MHz</source>
        <translation>显存频率 MHz</translation>
    </message>
    <message>
        <source>temperature °C</source>
        <translation>温度 °C</translation>
    </message>
    <message>
        <source>power W</source>
        <translation>功率 W</translation>
    </message>
    <message>
        <source>throttle</source>
        <translation>降频</translation>
    </message>
    <message>
        <source>By the device&apos;s own events; a CPU has none</source>
        <translation>由设备自身的事件计时；CPU 没有</translation>
    </message>
    <message>
        <source>By the host&apos;s clock</source>
        <translation>由主机时钟计时</translation>
    </message>
    <message>
        <source>Why the clock was lowered</source>
        <translation>降频的原因</translation>
    </message>
    <message>
        <source>host gap ms</source>
        <translation>主机间隙 ms</translation>
    </message>
    <message>
        <source>Wall time less device time: the device had not begun or was already done</source>
        <translation>墙钟时间减去设备时间：设备尚未开始或已经完成</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
</context>
<context>
    <name>ridgepoint::SweepModel</name>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未实测</translation>
    </message>
    <message>
        <source>10th percentile %1 ms, 90th %2 ms; least %3 ms, greatest %4 ms</source>
        <translation>第 10 百分位 %1 ms，第 90 百分位 %2 ms；最小 %3 ms，最大 %4 ms</translation>
    </message>
    <message>
        <source>%1 (0.9 to 1.3: the model holds)</source>
        <translation>%1(0.9 到 1.3：模型成立)</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>step ms</source>
        <translation>每步 ms</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>peak GB</source>
        <translation>峰值 GB</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Sequences decoded together</source>
        <translation>一起解码的序列数</translation>
    </message>
    <message>
        <source>Tokens before the first step</source>
        <translation>第一步之前的 token 数</translation>
    </message>
    <message>
        <source>Tokens in the cache in the middle of the timed steps</source>
        <translation>计时步中间时刻 cache 里的 token 数</translation>
    </message>
    <message>
        <source>How the point ended</source>
        <translation>该点如何结束</translation>
    </message>
    <message>
        <source>Median of the timed steps</source>
        <translation>计时步的中位数</translation>
    </message>
    <message>
        <source>Between these lie eight of ten steps</source>
        <translation>十步中有八步落在其间</translation>
    </message>
    <message>
        <source>Batch over step time</source>
        <translation>batch 除以步时</translation>
    </message>
    <message>
        <source>Tokens a second if the rate of the smallest batch grew with the batch</source>
        <translation>若最小 batch 的速率随 batch 线性增长时的每秒 token 数</translation>
    </message>
    <message>
        <source>How far the rate falls short of linear</source>
        <translation>速率比线性少多少</translation>
    </message>
    <message>
        <source>Greatest memory while the point ran</source>
        <translation>该点运行期间的最大内存</translation>
    </message>
    <message>
        <source>Predicted before the run, from measured ceilings</source>
        <translation>运行前由实测上限预测</translation>
    </message>
    <message>
        <source>0.9 to 1.3: the model holds</source>
        <translation>0.9 到 1.3：模型成立</translation>
    </message>
    <message>
        <source>Step time over the floor of the datasheet</source>
        <translation>步时除以规格下限</translation>
    </message>
    <message>
        <source>Why a point was not timed</source>
        <translation>该点未计时的原因</translation>
    </message>
    <message>
        <source>prompt tokens</source>
        <translation>提示 token 数</translation>
    </message>
    <message>
        <source>step time in ms</source>
        <translation>步时(ms)</translation>
    </message>
    <message>
        <source>tokens a second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <source>pred. ms</source>
        <translation>预测 ms</translation>
    </message>
    <message>
        <source>predicted step time in ms</source>
        <translation>预测步时(ms)</translation>
    </message>
    <message>
        <source>meas./pred.</source>
        <translation>实测/预测</translation>
    </message>
    <message>
        <source>measured / predicted</source>
        <translation>实测/预测</translation>
    </message>
    <message>
        <source>depart.</source>
        <translation>偏离</translation>
    </message>
    <message>
        <source>departure from linear</source>
        <translation>相对线性的偏离</translation>
    </message>
    <message>
        <source>linear tokens a second</source>
        <translation>线性每秒 token 数</translation>
    </message>
    <message>
        <source>p10–p90 ms</source>
        <translation>p10–p90 ms</translation>
    </message>
    <message>
        <source>10th to 90th percentile in ms</source>
        <translation>第 10 到第 90 百分位(ms)</translation>
    </message>
    <message>
        <source>peak memory in GB</source>
        <translation>峰值内存(GB)</translation>
    </message>
    <message>
        <source>/ floor</source>
        <translation>/ 下限</translation>
    </message>
    <message>
        <source>measured / floor</source>
        <translation>实测/下限</translation>
    </message>
    <message>
        <source>context tokens</source>
        <translation>上下文 token 数</translation>
    </message>
    <message>
        <source>MHz</source>
        <translation>MHz</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>gap ms</source>
        <translation>间隙 ms</translation>
    </message>
    <message>
        <source>host gap in ms</source>
        <translation>主机间隙（ms）</translation>
    </message>
    <message>
        <source>Wall time less device time, the median of the steps: the device had not begun or was done</source>
        <translation>墙钟时间减去设备时间，各步的中位数：设备尚未开始或已经完成</translation>
    </message>
    <message>
        <source>b2b ms</source>
        <translation>连续 ms</translation>
    </message>
    <message>
        <source>back-to-back step in ms</source>
        <translation>连续执行时一步的时间（ms）</translation>
    </message>
    <message>
        <source>A step when many follow one another without a wait between them</source>
        <translation>许多步接连执行、其间不等待时的一步</translation>
    </message>
    <message>
        <source>used GB</source>
        <translation>已用 GB</translation>
    </message>
    <message>
        <source>device memory used in GB</source>
        <translation>设备已用内存（GB）</translation>
    </message>
    <message>
        <source>On the whole device, as its driver counts: other programs are in it</source>
        <translation>整个设备上的用量，按驱动的统计：包含其他程序</translation>
    </message>
    <message>
        <source>median SM clock in MHz</source>
        <translation>SM 频率中位数（MHz）</translation>
    </message>
    <message>
        <source>Read beside the timed steps</source>
        <translation>计时各步的同时读取</translation>
    </message>
    <message>
        <source>throttled</source>
        <translation>降频</translation>
    </message>
    <message>
        <source>throttled steps</source>
        <translation>被降频的步</translation>
    </message>
    <message>
        <source>Marked, and counted in every median</source>
        <translation>有标记，并都计入中位数</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>graph nodes</source>
        <translation>graph 节点数</translation>
    </message>
    <message>
        <source>Nodes of the captured step</source>
        <translation>所捕获的一步的节点数</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Which implementation attended</source>
        <translation>注意力所用的实现</translation>
    </message>
    <message>
        <source>impossible, below the floor</source>
        <translation>低于下限，不可能</translation>
    </message>
    <message>
        <source>A step cannot be faster than its floor (%1 of it): check that model, dtype, device and batch are those that were measured.</source>
        <translation>一步不可能快于其下限（为下限的 %1）：请检查模型、dtype、设备和 batch 是否就是所测的。</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ThroughputChart</name>
    <message>
        <source>Throughput against batch</source>
        <translation>吞吐随 batch 变化</translation>
    </message>
    <message>
        <source>Batch (sequences)</source>
        <translation>Batch(序列数)</translation>
    </message>
    <message>
        <source>Throughput (tokens/s)</source>
        <translation>吞吐 (tokens/s)</translation>
    </message>
    <message>
        <source>series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>tokens/s</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>does not fit into the memory</source>
        <translation>内存放不下</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>measured, prompt %1</source>
        <translation>实测，提示 %1</translation>
    </message>
    <message>
        <source>forecast, prompt %1</source>
        <translation>预测，提示 %1</translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation>运行的预测</translation>
    </message>
    <message>
        <source>live</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>no result</source>
        <translation>无结果</translation>
    </message>
    <message>
        <source>memory full before b=1</source>
        <translation>b=1 之前内存已满</translation>
    </message>
    <message>
        <source>memory full at b=%1 →</source>
        <translation>b=%1 时内存已满 →</translation>
    </message>
    <message>
        <source>memory full at b=%1</source>
        <translation>b=%1 时内存已满</translation>
    </message>
    <message>
        <source>measured, %1, prompt %2</source>
        <translation>实测，%1，提示 %2</translation>
    </message>
    <message>
        <source>mode %1</source>
        <translation>模式 %1</translation>
    </message>
    <message>
        <source>no clock read</source>
        <translation>未读到频率</translation>
    </message>
    <message>
        <source>steps throttled</source>
        <translation>有步被降频</translation>
    </message>
    <message>
        <source>floor, datasheet</source>
        <translation>下限（规格）</translation>
    </message>
    <message>
        <source>floor, measured ceilings</source>
        <translation>下限（实测上限）</translation>
    </message>
    <message>
        <source>%1, n=%2</source>
        <translation>%1，n=%2</translation>
    </message>
</context>
<context>
    <name>ridgepoint::TimeAccountChart</name>
    <message>
        <source>Time account of a step</source>
        <translation>一步的时间账</translation>
    </message>
    <message>
        <source>if b=%1</source>
        <translation>若 b=%1</translation>
    </message>
    <message>
        <source>Time of one step (%1)</source>
        <translation>一步的时间(%1)</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>访存</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>prompt %1 (select a point of another)</source>
        <translation>提示 %1(选中其他提示的点可切换)</translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation>运行的预测</translation>
    </message>
    <message>
        <source>measuring: %1</source>
        <translation>正在测量：%1</translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>measured / forecast %1</source>
        <translation>实测/预测 %1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>prediction only</source>
        <translation>仅预测</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>测量中</translation>
    </message>
    <message>
        <source>measured, device</source>
        <translation>实测，设备</translation>
    </message>
    <message>
        <source>host gap: wall - device</source>
        <translation>主机间隙：墙钟 - 设备</translation>
    </message>
    <message>
        <source>%1 + %2</source>
        <translation>%1 + %2</translation>
    </message>
    <message>
        <source>host gap: %1 more by wall clock</source>
        <translation>主机间隙：墙钟多出 %1</translation>
    </message>
    <message>
        <source>host gap</source>
        <translation>主机间隙</translation>
    </message>
    <message>
        <source>%1 (forecast %2)</source>
        <translation>%1（预测 %2）</translation>
    </message>
</context>
<context>
    <name>ridgepoint::WhatIfPanel</name>
    <message>
        <source>%1 slider</source>
        <translation>%1 滑块</translation>
    </message>
    <message>
        <source>Predicted step time</source>
        <translation>预测步时</translation>
    </message>
    <message>
        <source>Predicted tokens a second</source>
        <translation>预测每秒 token 数</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>算术强度</translation>
    </message>
    <message>
        <source>Ridge</source>
        <translation>拐点</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>What sets the floor of the step</source>
        <translation>决定该步下限的因素</translation>
    </message>
    <message>
        <source>AI max</source>
        <translation>AI_max</translation>
    </message>
    <message>
        <source>The batch that reaches the roof; never, where AI max lies below the ridge</source>
        <translation>到达屋顶的 batch；AI_max低于拐点时永远到不了</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>The largest batch whose KV cache fits beside the weights</source>
        <translation>KV cache 能与权重一起放下的最大 batch</translation>
    </message>
    <message>
        <source>TTFT floor</source>
        <translation>TTFT 下限</translation>
    </message>
    <message>
        <source>Least time of the prefill of this batch and prompt</source>
        <translation>此 batch 与提示的预填充最短时间</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>What a step really streams and multiplies, attention and the KV write included</source>
        <translation>一步真正读取和相乘的量，包括注意力与 KV 写入</translation>
    </message>
    <message>
        <source>Textbook</source>
        <translation>教科书</translation>
    </message>
    <message>
        <source>W = 2 N for two-byte numbers, FLOP = 2 N b, the KV cache read</source>
        <translation>两字节数 W = 2 N，FLOP = 2 N b，读取 KV cache</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Memory bandwidth, bytes read</source>
        <translation>内存带宽，按读取字节计</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>Dense arithmetic rate of the number format</source>
        <translation>该数值格式的稠密计算速率</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Fixed cost of a step: launches and the host</source>
        <translation>每步的固定开销：启动与主机</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Sequences decoded together</source>
        <translation>一起解码的序列数</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Tokens in the cache when the step runs</source>
        <translation>该步运行时 cache 里的 token 数</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Tokens of the prefill</source>
        <translation>预填充的 token 数</translation>
    </message>
    <message>
        <source>Datasheet</source>
        <translation>规格</translation>
    </message>
    <message>
        <source>Bandwidth and peak of the device&apos;s datasheet, no overhead</source>
        <translation>设备规格的带宽与峰值，无开销</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>The ceilings that a calibration measured</source>
        <translation>校准实测的上限</translation>
    </message>
    <message>
        <source>Run&apos;s own</source>
        <translation>运行自身</translation>
    </message>
    <message>
        <source>Back to the values of the run that is shown</source>
        <translation>恢复为当前显示的运行的数值</translation>
    </message>
    <message>
        <source>%1 parameters, %2 layers</source>
        <translation>%1 参数，%2 层</translation>
    </message>
    <message>
        <source>a step · %1</source>
        <translation>每步 · %1</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>访存</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message>
        <source>Never: AI max lies below the ridge, %1 &lt; %2</source>
        <translation>永不：AI_max低于拐点，%1 &lt; %2</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 sequences in %2</source>
        <translation>%2 内 %1 个序列</translation>
    </message>
    <message>
        <source>The memory of this device is not known</source>
        <translation>该设备的内存未知</translation>
    </message>
    <message>
        <source>Choose a device and a model.</source>
        <translation>请选择设备和模型。</translation>
    </message>
    <message>
        <source>FLOP over bytes of the step, in FLOP/B</source>
        <translation>一步的 FLOP 除以字节数，单位 FLOP/B</translation>
    </message>
    <message>
        <source>Peak over bandwidth: the intensity from which compute is the limit, in FLOP/B</source>
        <translation>峰值除以带宽：从该强度起受限于计算，单位 FLOP/B</translation>
    </message>
    <message>
        <source>The intensity that no batch exceeds at this context: batching amortises weights, never the KV cache. In FLOP/B</source>
        <translation>在此上下文下任何 batch 都超不过的强度：batch 摊薄权重，却摊不薄 KV cache。单位 FLOP/B</translation>
    </message>
    <message>
        <source>b*</source>
        <translation>b*</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>Accounting</source>
        <translation>计算口径</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>us</source>
        <translation>us</translation>
    </message>
    <message>
        <source>Number format of weights, KV cache and arithmetic</source>
        <translation>权重、KV cache 与计算所用的数据类型</translation>
    </message>
    <message>
        <source>How bytes and FLOP of a step are counted: as hand arithmetic does, or as a step really streams them</source>
        <translation>一步的字节与 FLOP 如何计算：按手算口径，或按一步真正读取的量</translation>
    </message>
    <message>
        <source>The device whose datasheet the prediction stands on</source>
        <translation>预测所依据的设备规格</translation>
    </message>
    <message>
        <source>The model whose step is predicted</source>
        <translation>预测其一步的模型</translation>
    </message>
    <message>
        <source>memory-bound at %1</source>
        <translation>访存受限，%1</translation>
    </message>
    <message>
        <source>compute-bound at %1</source>
        <translation>计算受限，%1</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ComparisonChart</name>
    <message>
        <source>Sessions compared</source>
        <translation>会话对比</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>%1, imported</source>
        <translation>%1，导入</translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>line</source>
        <translation>直线</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4, batch %5, prompt %6</source>
        <translation>%1：%2 %3，%4，batch %5，prompt %6</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>ambiguous</source>
        <translation>不明确</translation>
    </message>
    <message>
        <source>Nothing is comparable: no point of one session has a partner of the same model, number format, mode, batch and prompt in the baseline. Choose sessions of the same model, or measure the same batches and prompts again.</source>
        <translation>没有可比的点：各会话的点在基线中都没有模型、数据类型、模式、batch 与 prompt 相同的对应点。请选择同一模型的会话，或以相同的 batch 与 prompt 重新测量。</translation>
    </message>
    <message>
        <source>Of the compared points %1 are slower, %2 faster, %3 the same and %4 ambiguous.</source>
        <translation>对比的点中：%1 个更慢，%2 个更快，%3 个相同，%4 个不明确。</translation>
    </message>
    <message>
        <source>Every point has its partner.</source>
        <translation>每个点都有对应点。</translation>
    </message>
    <message>
        <source>Not comparable, for no partner was measured: %1 of the baseline, %2 of the others.</source>
        <translation>因没有测得对应点而不可比：基线 %1 个，其余会话 %2 个。</translation>
    </message>
    <message>
        <source>case</source>
        <translation>情形</translation>
    </message>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>baseline TPOT</source>
        <translation>基线 TPOT</translation>
    </message>
    <message>
        <source>TPOT</source>
        <translation>TPOT</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>not tested</source>
        <translation>未检验</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>TPOT %1</source>
        <translation>TPOT %1</translation>
    </message>
    <message>
        <source>× %1</source>
        <translation>× %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>verdict and ratio: slower × 1.2</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2 of the baseline</source>
        <translation>%1：为基线的 %2</translation>
    </message>
    <message>
        <source>no partner</source>
        <translation>无对应点</translation>
    </message>
    <message>
        <source>baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>no sessions chosen</source>
        <translation>未选择会话</translation>
    </message>
    <message>
        <source>bars: p10 to p90, or all repeats</source>
        <translation>误差线：p10 至 p90，或全部重复</translation>
    </message>
</context>
<context>
    <name>ridgepoint::CompareDialog</name>
    <message>
        <source>Check a session in the list to hold it against the baseline.</source>
        <translation>在列表中勾选一个会话，与基线对比。</translation>
    </message>
    <message>
        <source>There is one session with results only. Open another in a tab, or add a saved one with “Add file…”: the same model on another device, in another mode or after a change.</source>
        <translation>只有一个会话有结果。请在标签页中再打开一个，或用“添加文件…”加入已保存的会话：同一模型在另一设备、另一模式下或改动之后的结果。</translation>
    </message>
    <message>
        <source>There is no session with results yet. Open two in tabs or add saved ones with “Add file…”, or run an experiment first.</source>
        <translation>还没有带结果的会话。请在标签页中打开两个，或用“添加文件…”加入已保存的会话，或先运行一次实验。</translation>
    </message>
    <message>
        <source>Compare sessions</source>
        <translation>对比会话</translation>
    </message>
    <message>
        <source>&amp;Baseline:</source>
        <translation>基线(&amp;B)：</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>The session that the others are held against</source>
        <translation>其余会话与之对比的会话</translation>
    </message>
    <message>
        <source>Compared &amp;with:</source>
        <translation>与之对比(&amp;W)：</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>与之对比</translation>
    </message>
    <message>
        <source>Checked sessions are held against the baseline, point by point</source>
        <translation>勾选的会话逐点与基线对比</translation>
    </message>
    <message>
        <source>Add &amp;file…</source>
        <translation>添加文件(&amp;F)…</translation>
    </message>
    <message>
        <source>A saved session, or results of another program, that is in no tab</source>
        <translation>不在任何标签页中的已保存会话或其他程序的结果</translation>
    </message>
    <message>
        <source>What the comparison says</source>
        <translation>对比的结论</translation>
    </message>
    <message>
        <source>Points compared</source>
        <translation>对比的点</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>Copy &amp;table</source>
        <translation>复制表格(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Export chart…</source>
        <translation>导出图表(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Reset axes</source>
        <translation>重置坐标轴(&amp;R)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ridgepoint::ColumnDialog</name>
    <message>
        <source>Import table</source>
        <translation>导入表格</translation>
    </message>
    <message>
        <source>The columns of %1 are not known by their names. Say what they hold; these are its first rows.</source>
        <translation>无法由名称识别 %1 的各列。请说明它们的含义；以下是其前几行。</translation>
    </message>
    <message>
        <source>First rows of the file</source>
        <translation>文件的前几行</translation>
    </message>
    <message>
        <source>Column of the batch</source>
        <translation>batch 所在列</translation>
    </message>
    <message>
        <source>choose a column</source>
        <translation>请选择列</translation>
    </message>
    <message>
        <source>one number for all rows</source>
        <translation>所有行同一数值</translation>
    </message>
    <message>
        <source>Batch of all rows</source>
        <translation>所有行的 batch</translation>
    </message>
    <message>
        <source>Column of the prompt or context</source>
        <translation>prompt 或上下文所在列</translation>
    </message>
    <message>
        <source>Prompt of all rows, in tokens</source>
        <translation>所有行的 prompt（token 数）</translation>
    </message>
    <message>
        <source>What that column holds</source>
        <translation>该列的含义</translation>
    </message>
    <message>
        <source>tokens of the prompt</source>
        <translation>prompt 的 token 数</translation>
    </message>
    <message>
        <source>tokens of context, mean of the steps</source>
        <translation>上下文 token 数，各步平均</translation>
    </message>
    <message>
        <source>Column of the time a step</source>
        <translation>每步时间所在列</translation>
    </message>
    <message>
        <source>Unit of the time a step</source>
        <translation>每步时间的单位</translation>
    </message>
    <message>
        <source>ms a step</source>
        <translation>ms/步</translation>
    </message>
    <message>
        <source>s a step</source>
        <translation>s/步</translation>
    </message>
    <message>
        <source>µs a step</source>
        <translation>µs/步</translation>
    </message>
    <message>
        <source>tok/s of all sequences</source>
        <translation>tok/s，所有序列合计</translation>
    </message>
    <message>
        <source>Column of the peak memory</source>
        <translation>峰值内存所在列</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Unit of the peak memory</source>
        <translation>峰值内存的单位</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>as the file says, else not known</source>
        <translation>以文件为准，否则未知</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>as the file says, else fp16</source>
        <translation>以文件为准，否则 fp16</translation>
    </message>
    <message>
        <source>With model and device the floor is drawn beside the points</source>
        <translation>给出模型与设备后，图中会在各点旁画出下限</translation>
    </message>
    <message>
        <source>&amp;Batch:</source>
        <translation>Batch(&amp;B)：</translation>
    </message>
    <message>
        <source>&amp;Prompt or context:</source>
        <translation>Prompt 或上下文(&amp;P)：</translation>
    </message>
    <message>
        <source>&amp;Time a step (TPOT):</source>
        <translation>每步时间 TPOT(&amp;T)：</translation>
    </message>
    <message>
        <source>Peak &amp;memory:</source>
        <translation>峰值内存(&amp;M)：</translation>
    </message>
    <message>
        <source>M&amp;odel:</source>
        <translation>模型(&amp;O)：</translation>
    </message>
    <message>
        <source>&amp;Device:</source>
        <translation>设备(&amp;D)：</translation>
    </message>
    <message>
        <source>&amp;Number format:</source>
        <translation>数据类型(&amp;N)：</translation>
    </message>
    <message>
        <source>What would be imported</source>
        <translation>将导入的内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>the batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>the prompt or context</source>
        <translation>prompt 或上下文</translation>
    </message>
    <message>
        <source>the time a step</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Choose the column of: %1.</source>
        <translation>请选择以下各项所在的列：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Of the first %1 MB of the file %2 rows would be imported, %3 left out.</source>
        <translation>文件的前 %1 MB 中将导入 %2 行，略去 %3 行。</translation>
    </message>
    <message>
        <source>%1 rows would be imported, %2 left out.</source>
        <translation>将导入 %1 行，略去 %2 行。</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>Some are faster than the floor, which cannot be: check the unit, the model, the device and the batch.</source>
        <translation>有的点比下限还快，这不可能：请检查单位、模型、设备与 batch。</translation>
    </message>
    <message>
        <source>No row can be used.</source>
        <translation>没有可用的行。</translation>
    </message>
</context>
</TS>
