// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the page that it stands in. The data (page_frames.h and play_page.cpp of Warpglass write it) holds steps; a step
// has frames in two languages, and a frame is a list of lines of one pool. Texts become text nodes; of drawings only
// shapes and words are let in, without any handler or link.
(() => {
"use strict";

const usualSpeeds = [0.5, 1, 2, 4, 8, 16];
const shapes = new Set(["svg", "title", "desc", "g", "path", "rect", "ellipse", "polyline", "polygon", "text", "clipPath",
                        "pattern", "image"]);
const icons = {first: "M10 4L2 10l8 6zM18 4l-8 6 8 6z", back: "M12 4L4 10l8 6zM14 4h2v12h-2z", play: "M5 3l12 7-12 7z",
               pause: "M4 3h4v14H4zM12 3h4v14h-4z", forward: "M8 4l8 6-8 6zM4 4h2v12H4z",
               last: "M2 4l8 6-8 6zM10 4l8 6-8 6z"};
const svgSpace = "http://www.w3.org/2000/svg", linkSpace = "http://www.w3.org/1999/xlink";

let page;            // the data
let words;           // of the language now
let tongue = 0;      // which language
let dark = false;
let step = 0;
let frame = -1;      // moment of the step's run; -1: the picture that the step selects
let between = 0;     // on the way from that moment to the next: which picture, 0: none
let still = false;   // nothing moves between two moments
let playing = 0;     // a timer, 0: nothing plays
let speed = 2;
const answered = new Map(); // step: {given, right}
const unfolded = new Map(); // "step/language": its frames as lists of lines
const seen = {};            // elements that change

const filled = (text, ...values) => values.reduce((t, v, i) => t.replace("%" + (i + 1), () => String(v)), text);

function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on"))
            element.addEventListener(name.slice(2), value);
        else if (value !== null && value !== false)
            element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((c) => c !== null));
    return element;
}

// ---- frames

const spoken = () => page.steps[step].spoken[tongue];
const momentsOf = () => spoken().labels.length;
const betweenEach = () => still ? 0 : page.steps[step].between;

// All frames of a step in a language. Each is told by the one before it, and those of a language by the language and the
// step before; so everything up to there is unfolded first.
function framesOf(wantedStep, wantedTongue) {
    let before = [];
    for (let s = 0; s <= wantedStep; ++s) {
        for (let t = 0; t < page.steps[s].spoken.length; ++t) {
            const key = s + "/" + t;
            if (!unfolded.has(key)) {
                unfolded.set(key, page.steps[s].spoken[t].frames.map((told) => {
                    const lines = [];
                    for (let i = 0; i < told.length; ++i) {
                        if (told[i] < 0) {
                            for (let n = 0; n < -told[i]; ++n)
                                lines.push(before[told[i + 1] + n]);
                            ++i;
                        } else {
                            lines.push(told[i]);
                        }
                    }
                    return before = lines;
                }));
            }
            before = unfolded.get(key).at(-1);
        }
    }
    return unfolded.get(wantedStep + "/" + wantedTongue);
}

const theme = () => dark ? 1 : 0;
const coloured = (line) => line.replace(/="~(\d+)"/g, (all, n) => '="' + page.colours[n][theme()] + '"');

function drawing(lines) {
    const body = lines.map((n) => coloured(typeof page.lines[n] === "string" ? page.lines[n] : page.lines[n][theme()]));
    const text = `<svg xmlns="${svgSpace}" xmlns:xlink="${linkSpace}" viewBox="0 0 ${page.width} ${page.height}">` +
        body.join("\n") + "</svg>";
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const element of [root, ...root.querySelectorAll("*")]) {
        if (element.namespaceURI !== svgSpace || !shapes.has(element.localName)) {
            element.remove();
            continue;
        }
        for (const attribute of [...element.attributes]) {
            const link = attribute.localName === "href";
            if (attribute.localName.startsWith("on") || attribute.localName === "style" ||
                (link && !attribute.value.startsWith("data:image/png;base64,")))
                element.removeAttributeNode(attribute);
        }
    }
    return document.importNode(root, true);
}

// ---- playing

const resting = () => frame < 0;
const placeNow = () => resting() ? page.steps[step].start : frame;

function paint() {
    const has = momentsOf();
    const on = between ? 1 + has + frame * page.steps[step].between + between - 1 : resting() ? 0 : frame + 1;
    const picture = drawing(framesOf(step, tongue)[on]);
    const label = !has ? "" : resting() ? spoken().label : spoken().labels[frame];
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", [spoken().viewTitle, label, spoken().caption].filter(Boolean).join(". "));
    seen.picture.replaceChildren(picture);
    if (!has)
        return;
    seen.slider.value = placeNow();
    seen.slider.setAttribute("aria-valuetext", label);
    seen.label.textContent = label;
    const end = placeNow() >= has - 1, start = placeNow() <= 0;
    seen.first.disabled = seen.back.disabled = start && !resting();
    seen.last.disabled = seen.forward.disabled = end && !resting();
}

function showPlaying() {
    if (!seen.play)
        return;
    const now = playing ? "pause" : "play";
    seen.play.replaceChildren(icon(now));
    seen.play.setAttribute("aria-label", words[now]);
    seen.play.title = words[now];
    // Read out where the run is when it stands, not at every frame.
    seen.label.setAttribute("aria-live", playing ? "off" : "polite");
}

function halt() {
    clearTimeout(playing);
    playing = 0;
    showPlaying();
}

function stopBetween() {
    if (!between)
        return;
    between = 0;
    paint(); // the moment itself, done
}

function next() {
    const end = momentsOf() - 1, parts = betweenEach();
    if (frame >= end) {
        halt();
        return;
    }
    if (parts && frame >= 0 && between < parts) {
        ++between;
    } else {
        ++frame;
        between = parts && frame < end ? 1 : 0;
    }
    paint();
    const weight = Math.max(page.steps[step].weights[frame], 0.1);
    playing = setTimeout(next, Math.max(16, 1000 * weight / speed / Math.max(parts, 1)));
}

function toggle() {
    if (!seen.slider)
        return;
    if (playing) {
        halt();
        stopBetween();
        return;
    }
    if (resting() || frame >= momentsOf() - 1)
        frame = -1; // from the start
    playing = setTimeout(next, 0);
    showPlaying();
}

function go(to) {
    if (!seen.slider)
        return;
    halt();
    between = 0;
    frame = Math.min(Math.max(0, to), momentsOf() - 1);
    paint();
}

// ---- the page

function button(name, sign, press) {
    return make("button", {type: "button", "aria-label": words[name], title: words[name], onclick: press}, sign);
}

// Drawn, since not every font has the signs.
function icon(name) {
    const svg = document.createElementNS(svgSpace, "svg"), path = document.createElementNS(svgSpace, "path");
    for (const [key, value] of Object.entries({viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true"}))
        svg.setAttribute(key, value);
    path.setAttribute("d", icons[name]);
    path.setAttribute("fill", "currentColor");
    svg.append(path);
    return svg;
}

function transport() {
    const speeds = make("select", {"aria-label": words.speed, onchange: (e) => { speed = Number(e.target.value); }},
        ...usualSpeeds.map((s) => make("option", {value: s, selected: s === speed}, filled(words.aSecond, s))));
    seen.first = button("first", icon("first"), () => go(0));
    seen.back = button("back", icon("back"), () => go(placeNow() - 1));
    seen.play = button("play", icon("play"), toggle);
    seen.play.id = "play";
    seen.forward = button("forward", icon("forward"), () => go(placeNow() + 1));
    seen.last = button("last", icon("last"), () => go(momentsOf() - 1));
    seen.slider = make("input", {type: "range", min: 0, max: momentsOf() - 1, step: 1, "aria-label": words.position,
        oninput: (e) => go(Number(e.target.value))});
    seen.label = make("span", {id: "position", role: "status"});
    const all = page.steps[step].moments;
    return make("div", {class: "transport"}, seen.first, seen.back, seen.play, seen.forward, seen.last, seen.slider,
        seen.label, speeds,
        all > momentsOf() ? make("small", {}, filled(words.some, momentsOf(), all)) : null);
}

// Of the run, or of two beside each other.
function numbers(of) {
    const row = (tag, cells) => make("tr", {}, ...cells.map((text, n) =>
        make(tag, {class: of.right.includes(n) ? "right" : null}, text)));
    return make("div", {class: "scroller", tabindex: 0, role: "region", "aria-label": words.numbers},
        make("table", {}, make("thead", {}, row("th", of.header)), make("tbody", {}, ...of.rows.map((r) => row("td", r)))));
}

function code() {
    return page.steps[step].code
        ? make("pre", {class: "code", tabindex: 0, "aria-label": words.kernel}, page.steps[step].code) : null;
}

function answer(given, right) {
    answered.set(step, {given, right});
    build();
    document.getElementById("result").focus();
}

function lanesField(ask) {
    const lanes = Array.from({length: 32}, (_, lane) => make("button", {type: "button", class: "lane",
        "aria-pressed": "false", "aria-label": filled(words.lane, lane),
        onclick: (e) => e.target.setAttribute("aria-pressed", String(e.target.getAttribute("aria-pressed") !== "true"))},
        String(lane)));
    const give = make("button", {type: "button", class: "give", onclick: () => {
        const on = lanes.filter((l) => l.getAttribute("aria-pressed") === "true").map((l) => Number(l.textContent));
        const mask = on.reduce((m, l) => m + 2 ** l, 0);
        answer(on.join(", ") || "–", mask === ask.lanes);
    }}, words.give);
    return make("div", {}, make("div", {class: "lanes"}, ...lanes), give);
}

function numberField(ask) {
    const field = make("input", {type: "text", inputmode: "decimal", "aria-label": ask.question});
    const give = () => {
        const text = field.value.trim().replace(",", ".");
        const given = Number(text);
        if (text === "" || !Number.isFinite(given))
            field.focus();
        else
            answer(field.value.trim(), Math.abs(given - ask.number) <= 0.005 * Math.max(1, Math.abs(ask.number) / 100));
    };
    field.addEventListener("keydown", (e) => {
        if (e.key === "Enter")
            give();
    });
    return make("div", {class: "number"}, field, make("button", {type: "button", class: "give", onclick: give}, words.give));
}

function choices(ask) {
    return make("div", {class: "choices"}, ...ask.choices.map((text, i) => make("button",
        {type: "button", onclick: () => answer(text, i === ask.right)},
        make("b", {"aria-hidden": "true"}, String.fromCharCode(65 + i)), make("span", {}, text))));
}

function question(ask) {
    const field = ask.choices ? choices(ask) : ask.lanes !== undefined ? lanesField(ask) : numberField(ask);
    return make("section", {class: "question", "aria-label": words.predict},
        make("div", {}, make("p", {class: "lead"}, words.predict), make("p", {class: "asked"}, ask.question), field,
            make("button", {type: "button", class: "plain", id: "show", onclick: () => answer(null, false)}, words.show)),
        code());
}

function result(ask) {
    const {given, right} = answered.get(step);
    const verdict = given === null ? "" : right ? words.right : words.wrong;
    return make("section", {class: "result " + (given === null ? "" : right ? "right" : "wrong"), id: "result",
            tabindex: -1, role: "status"},
        make("div", {}, make("p", {class: "asked"}, ask.question), make("p", {}, verdict ? make("b", {}, (right ? "✓ " : "✗ ") + verdict + " ") : null, ask.answer)),
        make("button", {type: "button", class: "plain", onclick: () => { answered.delete(step); build(); }}, words.askAgain));
}

function view() {
    seen.picture = make("div", {class: "picture"});
    const has = momentsOf() > 1;
    seen.slider = seen.play = null;
    return make("figure", {}, has ? transport() : null,
        make("div", {class: "scroller", tabindex: 0, "aria-label": spoken().viewTitle}, seen.picture),
        make("figcaption", {}, make("b", {}, spoken().viewTitle), " ", spoken().viewQuestion,
            spoken().run ? make("span", {class: "run"}, spoken().run) : null));
}

function steps() {
    const count = page.steps.length;
    if (count < 2)
        return null;
    const previous = button("previousStep", "‹", () => turn(step - 1)), following = button("nextStep", "›", () => turn(step + 1));
    previous.disabled = step === 0;
    following.disabled = step === count - 1;
    following.id = "nextStep";
    return make("nav", {"aria-label": words.steps}, previous,
        make("ol", {}, ...page.steps.map((s, i) => make("li", {}, make("button",
            {type: "button", "aria-current": i === step ? "step" : null, onclick: () => turn(i),
             title: s.spoken[tongue].title, "aria-label": filled(words.stepOf, i + 1, count) + ": " + s.spoken[tongue].title},
            String(i + 1))))), following);
}

function turn(to) {
    if (to < 0 || to >= page.steps.length)
        return;
    halt();
    step = to;
    frame = -1;
    between = 0;
    build();
    window.scrollTo(0, 0);
}

function build() {
    const at = document.activeElement && document.activeElement.id;
    halt();
    between = 0;
    words = page.words[tongue];
    document.documentElement.lang = page.languages[tongue];
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.title = page.titles[tongue];
    const now = spoken();
    const asking = now.ask && !answered.has(step);
    const other = (tongue + 1) % page.languages.length;
    const language = make("button", {type: "button", id: "language", lang: page.languages[other], onclick: () => {
        tongue = other;
        build();
    }}, ["English", "中文"][other]);
    const look = make("button", {type: "button", id: "theme", onclick: () => {
        dark = !dark;
        build();
    }}, dark ? words.light : words.dark);
    const parts = [make("header", {}, make("h1", {}, page.titles[tongue]), make("div", {class: "looks"}, language, look)),
        page.summaries[tongue] && step === 0 ? make("p", {class: "summary"}, page.summaries[tongue]) : null,
        steps(), now.title ? make("h2", {}, now.title) : null];
    if (asking) {
        seen.slider = seen.play = null;
        parts.push(question(now.ask));
    } else {
        if (now.ask)
            parts.push(result(now.ask));
        if (now.text)
            parts.push(make("p", {class: "text"}, now.text));
        parts.push(view());
        if (page.steps[step].code)
            parts.push(make("details", {}, make("summary", {}, words.kernel), code()));
        if (now.numbers)
            parts.push(make("details", {}, make("summary", {}, words.numbers), numbers(now.numbers)));
        if (page.steps[step].again)
            parts.push(make("details", {}, make("summary", {}, words.again),
                make("pre", {class: "code", tabindex: 0, "aria-label": words.again}, page.steps[step].again)));
    }
    parts.push(make("footer", {}, words.keys + " " + filled(words.madeBy, page.version)));
    document.getElementById("page").replaceChildren(make("main", {}, ...parts.filter(Boolean)));
    if (!asking)
        paint();
    showPlaying();
    if (at && document.getElementById(at))
        document.getElementById(at).focus();
}

function press(e) {
    if (e.ctrlKey || e.altKey || e.metaKey)
        return;
    const on = e.target.tagName;
    if (on === "INPUT" || on === "SELECT" || on === "TEXTAREA")
        return; // these have keys of their own
    if (e.key === " " && (on === "BUTTON" || on === "SUMMARY"))
        return;
    const does = {" ": toggle, ArrowRight: () => go(placeNow() + 1), ArrowLeft: () => go(placeNow() - 1),
        Home: () => go(0), End: () => go(momentsOf() - 1), PageDown: () => turn(step + 1), PageUp: () => turn(step - 1)}[e.key];
    if (!does || (page.steps.length < 2 && e.key.startsWith("Page")))
        return;
    if (!seen.slider && !e.key.startsWith("Page"))
        return;
    e.preventDefault();
    does();
}

async function read() {
    const base64 = atob(document.getElementById("data").textContent);
    const bytes = Uint8Array.from(base64, (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
}

// #step=2&lang=zh&theme=dark opens the page so, to link to a place in it.
function asked() {
    const wish = new URLSearchParams(location.hash.slice(1));
    const language = wish.get("lang") || navigator.language || "en";
    tongue = language.startsWith("zh") && page.languages.length > 1 ? 1 : 0;
    dark = wish.has("theme") ? wish.get("theme") === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    step = Math.min(Math.max(0, Number(wish.get("step") || 1) - 1 || 0), page.steps.length - 1);
    still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still)
        speed = 0.5; // one still picture after the other; nothing on the page moves by itself
}

read().then((data) => {
    page = data;
    asked();
    build();
    document.addEventListener("keydown", press);
}).catch((problem) => {
    document.getElementById("page").textContent = "This page cannot be shown: " + problem.message;
});
})();
