# The pipeline's rate against the chunk size. pictures.py sets data, output, heading, caption, lines, colours, series.
set terminal svg size 1000,560 font "sans-serif,14" background "white" name "chunks"
set output output
set encoding utf8
set title heading noenhanced
set logscale x 2
set xtics ()
set for [p = 16 : 25] xtics add (sprintf("%d %s", 2 ** (p % 10), p < 20 ? "KiB" : "MiB") 2 ** p)
set xlabel "chunk size"
set ylabel "GB/s of input"
set yrange [0:*]
set offsets graph 0, graph 0, graph 0.05, graph 0
set grid xtics ytics lc rgb "#dddddd" lt 1
set border 3
set tics nomirror out
set key outside right top Left reverse noenhanced
set bmargin 4.5 + lines
set label caption at screen 0.015, screen 0.01 + 0.028 * lines left font "sans-serif,10" noenhanced
plot for [i = 0 : series - 1] data index i using 1:2 with linespoints lw 2 pt 7 ps 0.6 \
	lc rgb word(colours, i + 1) title columnheader(1)
