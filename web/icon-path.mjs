// What an icon draws, as the data of one path: an icon of several shapes would be several elements wherever it stands. The
// shapes are stroked and never filled, so that it makes no difference to what is seen.

/** @type {Record<string, (at: (name: string) => number) => string>} */
const SHAPES = {
  circle: (at) => ring(at("cx"), at("cy"), at("r")),
  line: (at) => `M${at("x1")} ${at("y1")}L${at("x2")} ${at("y2")}`,
  rect: (at) => box(at("x"), at("y"), at("width"), at("height"), at("rx")),
};

function ring(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function box(x, y, width, height, r) {
  const arc = `a${r} ${r} 0 0 1 `;
  const [h, v] = [width - 2 * r, height - 2 * r];
  return `M${x + r} ${y}h${h}${arc}${r} ${r}v${v}${arc}${-r} ${r}h${-h}${arc}${-r} ${-r}v${-v}${arc}${r} ${-r}z`;
}

/** The path of an icon's file. Fails where the file has something that a stroked path cannot say. */
export function iconPath(svg) {
  const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
  const paths = [...inner.matchAll(/<(\w+)([^>]*?)\/?>/g)].map(([, tag, text]) => {
    const values = new Map([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    if (/fill|stroke|opacity|transform/.test(text)) throw new Error(`<${tag}> has a look of its own: ${text}`);
    // A relative beginning is relative to nothing, not to the end of the shape before.
    if (tag === "path") return values.get("d").replace(/^m/, "M0 0m");
    const shape = SHAPES[tag];
    if (!shape || (values.get("ry") ?? values.get("rx")) !== values.get("rx"))
      throw new Error(`<${tag}${text}> is unknown`);
    return shape((name) => Number(values.get(name)));
  });
  return paths.join("");
}
