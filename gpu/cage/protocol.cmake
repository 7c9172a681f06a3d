# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DHEADERS="a;b" -DTO=protocol.inl -P protocol.cmake: what the headers hold, as a number.
set(all "")
foreach(header IN LISTS HEADERS)
    file(SHA256 "${header}" hash)
    string(APPEND all "${hash}")
endforeach()
string(SHA256 all "${all}")
string(SUBSTRING "${all}" 0 16 all)
file(CONFIGURE OUTPUT "${TO}" CONTENT "\"${all}\"\n")
