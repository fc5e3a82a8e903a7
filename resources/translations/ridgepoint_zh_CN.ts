<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>ChartExportDialog</name>
    <message>
        <source>The folder %1 could not be made. Choose a place that you may write to.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Prompts</name>
    <message>
        <source>“%1” has results that are not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discarded results cannot be brought back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::ChartExportDialog</name>
    <message>
        <source>Export chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG (pixels)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG (vectors)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF (vectors)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Chart:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Format:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Width:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Height:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Scale:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ile:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2 pixels in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vectors: sharp at any size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files (*.%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 exists. Replace it?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::ChartView</name>
    <message numerus="yes">
        <source>and %n more row(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not end in .png, .svg or .pdf; choose one of these names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A picture of %1 x %2 pixels at scale %3 cannot be drawn for &quot;%4&quot;; choose a size between 1 pixel and 32767 pixels a side, 200 million pixels in all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough memory to draw &quot;%1&quot;; choose a smaller size or scale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; could not be drawn; try another format.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::Charts</name>
    <message>
        <source>Choose a model to see its prediction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction only, nothing measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2 on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory %1, compute %2, overhead %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2, bound by %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ok</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast %1, measured / forecast %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>floor %1, ratio %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak memory %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::Document</name>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::ExperimentPanel</name>
    <message>
        <source>Batch sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times decode steps over batches and prompt lengths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT and TPOT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times a generation by three methods that check one another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures the device&apos;s own bandwidth, arithmetic rate and fixed costs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xperiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type to search the catalogue, or choose a checkpoint folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoint folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a checkpoint folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M&amp;ode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt lengths in tokens, such as 128, 2048</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences decoded together, such as 1, 4, 16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Prompt tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untimed steps before each point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Warm-up steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timed steps of each point; the median counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timed &amp;steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untimed repeats of each method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Warm-ups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timed repeats of each method; the median counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;epeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1  Subtraction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2  Stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3  Timed loop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two generations of different length, subtracted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A time stamp as each token reaches the reader</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A loop with every step timed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Methods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: a built-in text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoded with the folder&apos;s tokenizer, then cut or repeated to the prompt&apos;s length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt te&amp;xt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads of the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points that need more memory are recorded as skipped. Empty: what the device has free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory &amp;limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try points beyond &amp;capacity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run points that cannot fit by arithmetic as well: they may end out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoint folder: one with config.json and safetensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (folder)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One launch an operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step replayed as one graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operations merged into fewer kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is too large: give numbers from 1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a whole number: write them as %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be used: give numbers from 1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least one number, such as %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 numbers are too many: give at most %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine reports no device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs no number format that this program knows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of the plan is not there; %2 stands in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model of the catalogue or a checkpoint folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The catalogue has no model “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearest: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters, random weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at least one method.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens and the %2 generated go beyond the model&apos;s %3 positions: give at most %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The %1 generated tokens alone go beyond the model&apos;s %2 positions: generate fewer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number of GB; empty means what is free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a limit above 0 and up to 1000000 GB, or leave it empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A field is wrong: the sentence in it says what to change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures the bandwidth, the arithmetic rate and the fixed cost of a step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n point(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n method(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source> × %1 repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; about a second at datasheet speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; at least %1 at datasheet speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n point(s) do not fit into %1 and will be skipped.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (of the session)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::LatencyChart</name>
    <message>
        <source>Latency of each step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loop, b=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream, b=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>b=%1 p=%2 live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step time (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over 1.5 x median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, step %2, context %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 x the median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>host: %1 more by wall clock than on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clock %1 MHz, usually %2 MHz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clock %1 MHz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>throttled: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 C, %2 W</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an outlier; this device reports neither clock nor throttling</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: median %2 of %n step(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: forecast of the run %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: prediction %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: floor %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outliers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction only</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::MainWindow</name>
    <message>
        <source>No engine: predictions only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
Predictions, tables and saved sessions work without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
The run goes on and its results are kept in memory: save the session before you quit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs did, line by line, appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this point says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV files (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;chart…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;tables…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export re&amp;port folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Alt+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run the experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Calibrate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;TTFT and TPOT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Batch sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All charts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run s&amp;hown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;ccounting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Exact: what a step really streams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Textbook: W = 2 N, FLOP = 2 N b</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Ridgepoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine not loaded yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the run does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run has not stopped yet. Its finished points are in the journal and are offered at the next start. Quit without waiting?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going. Stop it and quit?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not loaded yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;h3&gt;Ridgepoint %1&lt;/h3&gt;&lt;p&gt;A workbench for LLM decode: prediction and measurement on one axis.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Journals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices and models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Ridgepoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ridgepoint sessions (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going. Stop it and begin a new session?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going. Stop it and open %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds no results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1[*] – Ridgepoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT and TPOT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 on %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run was interrupted on %1. Its finished points are in the journal.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more journal(s) wait as well.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Recover</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard the interrupted run? It cannot be brought back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The journal %1 could not be removed: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going. Stop it and recover the interrupted one?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovered an interrupted run; save the session to keep it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no chart named %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export tables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export report folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not empty. Files of the same names (report.md, session.json, the charts and tables) are replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export here</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Report written to %1: %n file(s), begin with report.md.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Copied the chart “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied the record table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied the chart&apos;s figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A field of the experiment is wrong; the panel says which. Correct it and run again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going already. Stop it first, or wait for its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
The run goes on without a journal and its results are kept in memory: save the session before you quit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading the engine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started on %1 with %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch %1, prompt %2: %3 a step, %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch %1, prompt %2: %3. %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Calibrated: %1 read%2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %1 fixed cost a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped; the finished results are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1
The results up to here are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping… %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device %1: %2%3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::RooflineChart</name>
    <message>
        <source>Roofline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured prefill: b = %1, p = %2
%3, %4
%5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median of the repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one sample, not repeated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arithmetic intensity (FLOP/B)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rate (FLOP/s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>series</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>intensity FLOP/B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>datasheet roof</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured roof</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what-if roof</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill p=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted prefill: b = %1, p = %2
floor %3, %4
bound by %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AI max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>b=%1 live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured decode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured, prompt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>should lie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ridge %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AI max %1 (n=%2)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::SessionCharts</name>
    <message>
        <source>%1: %2 in %3 on %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::ThroughputChart</name>
    <message>
        <source>Throughput against batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch (sequences)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Throughput (tokens/s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>series</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fit into the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured, prompt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast, prompt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction, n=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory full before b=1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory full at b=%1 →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory full at b=%1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::TimeAccountChart</name>
    <message>
        <source>Time account of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>if b=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of one step (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt %1 (select a point of another)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured / forecast %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forecast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prediction only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ridgepoint::WhatIfPanel</name>
    <message>
        <source>%1 slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted step time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted tokens a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FLOP over bytes of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ridge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak over bandwidth: the intensity from which compute is the limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What sets the floor of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AI max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The intensity that no batch exceeds at this context: batching amortises weights, never the KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch at ridge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The batch that reaches the roof; never, where AI max lies below the ridge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest batch whose KV cache fits beside the weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTFT floor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least time of the prefill of this batch and prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;evice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode&amp;l</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dt&amp;ype</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acc&amp;ounting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a step really streams and multiplies, attention and the KV write included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Textbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W = 2 N for two-byte numbers, FLOP = 2 N b, the KV cache read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>B&amp;andwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory bandwidth, bytes read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pea&amp;k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense arithmetic rate of the number format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>O&amp;verhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed cost of a step: launches and the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequences decoded together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens in the cache when the step runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the prefill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Datasheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bandwidth and peak of the device&apos;s datasheet, no overhead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ceilings that a calibration measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the values of the run that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 parameters, %2 layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never: AI max lies below the ridge, %1 &lt; %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 sequences in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory of this device is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1-bound at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a device and a model.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
