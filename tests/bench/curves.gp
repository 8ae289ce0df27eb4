# Time against the number of elements. pictures.py sets data, output, heading, caption, lines, colours, dashes, bands, series.
set terminal svg size 1000,640 font "sans-serif,14" background "white" name "curves"
set output output
set encoding utf8
set title heading noenhanced
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set format y "10^{%L}"
set xtics 2 ** 4, 2 ** 4
set xlabel "elements"
set ylabel "seconds"
set grid xtics ytics lc rgb "#dddddd" lt 1
set border 3
set tics nomirror out
set key outside right top Left reverse noenhanced
set bmargin 4.5 + lines
set label caption at screen 0.015, screen 0.01 + 0.025 * lines left font "sans-serif,10" noenhanced
set style fill transparent solid 0.25 noborder
# From the fastest run to the slowest, and the median.
band(k) = k <= words(bands) ? int(word(bands, k)) : 0
plot for [k = 1 : words(bands)] data index band(k) using 1:3:4 with filledcurves fc rgb word(colours, band(k) + 1) notitle, \
	for [i = 0 : series - 1] data index i using 1:2 with linespoints lw 2 pt int(word(dashes, i + 1)) + 4 ps 0.5 \
	dt int(word(dashes, i + 1)) lc rgb word(colours, i + 1) title columnheader(1)
