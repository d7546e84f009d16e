/** The charset that a Content-Type names; undefined when it names none. */
export function charsetIn(contentType: string | undefined): string | undefined {
  return /;\s*charset="?([^";\s]+)"?/i.exec(contentType ?? '')?.[1];
}
