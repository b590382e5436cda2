import type { Request } from "express";

/** One parameter of the path. A text that no id can contain reads as the empty text, which is not found. */
export function pathParameter(request: Request, name: string): string {
  const value = String(request.params[name] ?? "");
  return value.includes("\u0000") ? "" : value;
}
