// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/whole_file.h"

#include <QFileInfo>

namespace warpglass {

qint64 WholeFile::writeData(const char* data, qint64 size) {
    const qint64 written = QSaveFile::writeData(data, size);
    m_short |= written != size;
    return written;
}

bool WholeFile::commit() {
    const QFileInfo target(fileName());
    const bool takesAPlace = target.exists() && !target.isFile(); // of a device or a pipe, which would be gone
    if (!flush() || m_short || error() != QFileDevice::NoError || takesAPlace)
        cancelWriting();
    return QSaveFile::commit();
}

bool writeWhole(const QString& path, const QByteArray& bytes) {
    WholeFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

bool writeWholePng(const QString& path, const QImage& image) {
    WholeFile file(path);
    return file.open(QIODevice::WriteOnly) && image.save(&file, "PNG") && file.commit();
}

} // namespace warpglass
