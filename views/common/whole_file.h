// SPDX-License-Identifier: GPL-3.0-or-later
// A QSaveFile that tells when not everything could be written. Qt 6.4's own looks at neither a write that the disk took
// in part nor what still lay in its buffer: on a full disk it puts a file that is cut short into the place of a whole one,
// and says that all went well.
#pragma once

#include <QImage>
#include <QSaveFile>
#include <QString>

namespace warpglass {

class WholeFile : public QSaveFile {
public:
    using QSaveFile::QSaveFile;
    // Under its name, as a whole. False: what had the name before has it still.
    bool commit();
    // Why it could not be opened, written or committed, and what helps: a sentence in the user's language.
    QString whyNot() const;

protected:
    qint64 writeData(const char* data, qint64 size) override;

private:
    void noteFull();
    bool m_short = false, m_full = false;
};

// False: `whyNot` has the sentence.
bool writeWhole(const QString& path, const QByteArray& bytes, QString* whyNot = nullptr);
bool writeWholePng(const QString& path, const QImage& image, QString* whyNot = nullptr);

} // namespace warpglass
