# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DROOT=... -DOUT=... -P embed.cmake: writes a C++ file with each text as a raw string, under its path from ROOT.
file(GLOB texts RELATIVE ${ROOT} ${ROOT}/gpu/kernels/*.cu ${ROOT}/resources/ptx/*/*.ptx ${ROOT}/resources/ptx/registers.json)
list(SORT texts)
set(code "// Generated: the kernels' texts.\n#include \"gpu/kernels/texts.h\"\n\nnamespace warpglass::kernels {\n\n")
string(APPEND code "const EmbeddedText embeddedTexts[] = {\n")
foreach(path ${texts})
  file(READ ${ROOT}/${path} text)
  string(APPEND code "    {\"${path}\", R\"EMBEDDED(${text})EMBEDDED\"},\n")
endforeach()
list(LENGTH texts count)
string(APPEND code "};\nconst std::size_t embeddedTextCount = ${count};\n\n} // namespace warpglass::kernels\n")
file(WRITE ${OUT} "${code}")
