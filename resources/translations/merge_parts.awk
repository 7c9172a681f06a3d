# SPDX-License-Identifier: GPL-3.0-or-later
# Makes one Qt Linguist file of parts/*.tsv: awk -f merge_parts.awk parts/*.tsv > warpglass_zh_CN.ts
# A line is CONTEXT<tab>English<tab>Chinese; the context is for the reader. \n in a text is a line break. The first
# translation of a text is taken: the program looks texts up without their context, so one English text has one Chinese.
BEGIN {
    FS = "\t"
    print "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"zh_CN\" sourcelanguage=\"en\">"
    print "<context>\n    <name>Warpglass</name>"
}
function xml(s) {
    gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); gsub(/"/, "\\&quot;", s)
    gsub(/\\n/, "\n", s)
    return s
}
/^#/ || NF < 2 { next }
{ sub(/\r$/, "", $NF); source = $(NF - 1) }
!(source in seen) && $NF != "" {
    seen[source] = 1
    print "    <message>\n        <source>" xml(source) "</source>\n        <translation>" xml($NF) "</translation>\n    </message>"
}
END { print "</context>\n</TS>" }
