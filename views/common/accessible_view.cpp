// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/accessible_view.h"

#include "views/common/prediction_picture.h"
#include "views/common/ticks.h"
#include "views/common/view_widget.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QMouseEvent>
#include <QPointer>

namespace warpglass {

namespace {

class AccessText {
    Q_DECLARE_TR_FUNCTIONS(AccessText)
};

constexpr int between = 10;          // px from one place that is asked to the next
constexpr qsizetype mostParts = 600; // nobody listens to more

QString sentenceOf(const Picture& picture) {
    if (const Emptiness* empty = picture.emptiness())
        return empty->actionText.isEmpty() ? empty->why
                                           : AccessText::tr("%1 Enter: %2").arg(empty->why, empty->actionText);
    return picture.caption();
}

// A thing in the picture, as the pointer would meet it.
struct Part {
    QRect where; // in the widget
    QPoint at;   // of it, where the picture was asked
    QString words;
    bool pressed = false; // whether a click does something
};

QVector<Part> partsOf(const Picture& picture, QSize size) {
    QVector<Part> parts;
    for (int y = between / 2; y < size.height(); y += between)
        for (int x = between / 2; x < size.width(); x += between) {
            const Spot spot = picture.spotAt(QPointF(x, y));
            const Emptiness* empty = picture.emptiness();
            const QString words = empty && !spot.action.isEmpty() ? empty->actionText : spot.toolTip;
            if (words.isEmpty())
                continue;
            const QRect where = spot.where.isNull() ? QRect(x - between / 2, y - between / 2, between, between)
                                                    : spot.where.toAlignedRect();
            const bool known = std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
                return part.words == words && (spot.where.isNull() || part.where == where);
            });
            if (!known)
                parts.append({where, {x, y}, words, !spot.action.isEmpty() || spot.click.has_value()});
            if (parts.size() == mostParts)
                return parts;
        }
    return parts;
}

class AccessiblePart final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    AccessiblePart(ViewWidget* view, Part part) : m_view(view), m_part(std::move(part)) {}

    bool isValid() const override { return m_view; }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text what) const override {
        return what == QAccessible::Name          ? m_part.words.section(QLatin1Char('\n'), 0, 0)
               : what == QAccessible::Description ? m_part.words.section(QLatin1Char('\n'), 1)
                                                  : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        return m_view ? QRect(m_view->mapToGlobal(m_part.where.topLeft()), m_part.where.size()) : QRect();
    }
    QAccessible::Role role() const override { return m_part.pressed ? QAccessible::Button : QAccessible::Graphic; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.invisible = !m_view || !m_view->isVisible();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface && m_part.pressed ? static_cast<QAccessibleActionInterface*>(this)
                                                                      : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }
    void doAction(const QString&) override { // what the mouse would do
        for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            if (!m_view)
                return;
            QMouseEvent event(type, m_part.at, m_view->mapToGlobal(m_part.at), Qt::LeftButton,
                              type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(m_view, &event);
        }
    }

private:
    QPointer<ViewWidget> m_view;
    Part m_part;
};

class AccessibleView final : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleView(ViewWidget* view) : QAccessibleWidget(view, QAccessible::Graphic), m_view(view) {
        m_another = QObject::connect(view, &ViewWidget::composed, view, [this] { m_found = false; });
    }
    ~AccessibleView() override {
        QObject::disconnect(m_another);
        forget();
    }

    QString text(QAccessible::Text what) const override {
        const Picture* picture = m_view ? m_view->picture() : nullptr;
        if (what != QAccessible::Description || !picture)
            return QAccessibleWidget::text(what);
        if (predictionOf(picture)) // at every key: what is under the cursor, and nothing else
            return m_view->accessibleDescription();
        // Where one is comes first: it is what each key changes, and the rest need not be heard to its end again.
        QStringList words{m_view->accessibleDescription(), sentenceOf(*picture)};
        const PaintContext& context = m_view->context();
        if (context.trace && !picture->emptiness())
            words.prepend(placeText(*context.trace, context.selection));
        words.removeAll(QString());
        return words.join(QLatin1Char('\n'));
    }

    int childCount() const override { return QAccessibleWidget::childCount() + int(parts().size()); }
    QAccessibleInterface* child(int index) const override {
        const int widgets = QAccessibleWidget::childCount();
        if (index < widgets)
            return QAccessibleWidget::child(index);
        const QVector<QAccessible::Id>& all = parts();
        return index - widgets < all.size() ? QAccessible::accessibleInterface(all[index - widgets]) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int i = 0; i < int(parts().size()); ++i)
            if (QAccessible::accessibleInterface(m_parts[i]) == child)
                return QAccessibleWidget::childCount() + i;
        return QAccessibleWidget::indexOfChild(child);
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        QAccessibleInterface* smallest = nullptr;
        const auto area = [](const QRect& r) { return r.width() * r.height(); };
        for (const QAccessible::Id id : parts()) {
            QAccessibleInterface* part = QAccessible::accessibleInterface(id);
            if (part->rect().contains(x, y) && (!smallest || area(part->rect()) < area(smallest->rect())))
                smallest = part;
        }
        return smallest ? smallest : QAccessibleWidget::childAt(x, y);
    }

    // The value is the time: where one is in the run.
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QVariant currentValue() const override { return qlonglong(m_view ? m_view->context().selection.time.value : 0); }
    void setCurrentValue(const QVariant&) override {} // the transport's slider is there for it
    QVariant minimumValue() const override { return qlonglong(range().begin.value); }
    QVariant maximumValue() const override { return qlonglong(range().end.value); }
    QVariant minimumStepSize() const override { return 1; }

private:
    TimeRange range() const {
        return m_view && m_view->context().trace ? m_view->context().trace->range() : TimeRange{};
    }
    void forget() const {
        for (const QAccessible::Id id : m_parts)
            QAccessible::deleteAccessibleInterface(id);
        m_parts.clear();
    }
    // Found when somebody asks, and again when the picture is another one.
    const QVector<QAccessible::Id>& parts() const {
        const Picture* picture = m_view ? m_view->picture() : nullptr; // may find that it is another one
        if (m_found)
            return m_parts;
        forget();
        m_found = picture != nullptr;
        if (picture)
            for (Part& part : partsOf(*picture, m_view->size()))
                m_parts.append(QAccessible::registerAccessibleInterface(new AccessiblePart(m_view, std::move(part))));
        return m_parts;
    }

    QPointer<ViewWidget> m_view;
    QMetaObject::Connection m_another;
    mutable bool m_found = false;
    mutable QVector<QAccessible::Id> m_parts;
};

QAccessibleInterface* made(const QString&, QObject* object) {
    auto* view = qobject_cast<ViewWidget*>(object);
    return view ? new AccessibleView(view) : nullptr;
}

} // namespace

QString placeText(const Trace& trace, const Selection& selection) {
    QStringList words{momentText(trace, selection.time)};
    if (selection.block < trace.blocks.size())
        words << AccessText::tr("block %1").arg(trace.blocks[selection.block].index);
    if (selection.warp < trace.warps.size())
        words << AccessText::tr("warp %1").arg(trace.warps[selection.warp].warpInBlock);
    if (selection.lane >= 0)
        words << AccessText::tr("lane %1").arg(selection.lane);
    if (selection.sourceLine > 0)
        words << AccessText::tr("line %1").arg(selection.sourceLine);
    return words.join(QStringLiteral("; "));
}

void makeViewsAccessible() {
    QAccessible::installFactory(made); // a second time changes nothing
}

void tellPlace(ViewWidget* view) {
    if (!QAccessible::isActive())
        return;
    QAccessibleValueChangeEvent value(view, qlonglong(view->context().selection.time.value));
    QAccessible::updateAccessibility(&value);
    tellPicture(view);
}

void tellPicture(ViewWidget* view) {
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(view, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

} // namespace warpglass
