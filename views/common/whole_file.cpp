// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/whole_file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <cerrno>

namespace warpglass {

namespace {

struct FileText {
    Q_DECLARE_TR_FUNCTIONS(Export)
};

// A device or a pipe, whose place a file would take.
bool isNoFile(const QString& path) {
    const QFileInfo target(path);
    return target.exists() && !target.isFile();
}

bool ended(WholeFile& file, bool written, QString* whyNot) {
    const bool good = written && file.commit();
    if (!good && whyNot)
        *whyNot = file.whyNot();
    return good;
}

} // namespace

// A write that is taken in part leaves no error but the system's own number.
void WholeFile::noteFull() {
    m_full |= errno == ENOSPC || errno == EDQUOT || errno == EFBIG || error() == QFileDevice::ResourceError;
}

qint64 WholeFile::writeData(const char* data, qint64 size) {
    errno = 0;
    const qint64 written = QSaveFile::writeData(data, size);
    if (written != size) {
        m_short = true;
        noteFull();
    }
    return written;
}

bool WholeFile::commit() {
    errno = 0;
    if (!flush())
        noteFull();
    if (m_short || error() != QFileDevice::NoError || isNoFile(fileName()))
        cancelWriting();
    return QSaveFile::commit();
}

QString WholeFile::whyNot() const {
    if (isNoFile(fileName()))
        return FileText::tr("%1 is no file. Choose the name of a file, or a new one.").arg(fileName());
    if (m_full)
        return FileText::tr("%1 does not fit: the disk is full, or no file may be as large here. Free some space, or "
                            "choose another disk.")
            .arg(fileName());
    return FileText::tr("%1 cannot be written. Choose a folder in which you may create files.").arg(fileName());
}

bool writeWhole(const QString& path, const QByteArray& bytes, QString* whyNot) {
    WholeFile file(path);
    return ended(file, file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size(), whyNot);
}

bool writeWholePng(const QString& path, const QImage& image, QString* whyNot) {
    WholeFile file(path);
    return ended(file, file.open(QIODevice::WriteOnly) && image.save(&file, "PNG"), whyNot);
}

} // namespace warpglass
