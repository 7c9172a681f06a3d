// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view_widget.h"

namespace warpglass {

// The view's switches as drop-downs, for a window to put above a ViewWidget. Follows the widget's options and the
// language.
class SwitchBar : public QWidget {
    Q_OBJECT
public:
    explicit SwitchBar(ViewWidget* widget, QWidget* parent = nullptr);
    void setLines(int lines); // that the drop-downs are spread over, as many on each
    int lines() const { return m_lines; }

protected:
    void changeEvent(QEvent*) override;

private:
    void rebuild();
    void spread();
    ViewWidget* m_widget;
    QWidget* m_row = nullptr;
    int m_lines = 1;
};

} // namespace warpglass
