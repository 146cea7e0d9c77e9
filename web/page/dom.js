// Small helpers for the page's elements and texts.

/** Creates an element. Properties that begin with "on" are listeners; names with "-" and `role` are attributes. */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role" || name === "scope" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

export const byId = (id) => document.getElementById(id);

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Formats a time as m:ss or h:mm:ss. */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** Formats a confidence in percent; 100 % only if certain. */
export function percent(confidence) { return `${Math.min(99, Math.floor(confidence * 100))} %`; }

export function confidenceText(confidence) { return `confidence ${percent(confidence)}`; }

export function decimal(value, places = 1) { return value.toFixed(places).replace("-", "−"); }

/** Quotes a CSV field. Text that spreadsheets would read as a formula gets an apostrophe. */
function field(value) {
  let text = String(value ?? "");
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(header, rows) {
  return [header, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

/** Downloads a text as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
