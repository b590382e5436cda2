import { isUtf8 } from "node:buffer";
import { MAX_BODY_BYTES } from "@tillgate/contract";
import express, { type RequestHandler } from "express";
import { HttpError } from "./http-error.js";
import { refuseLargeBody } from "./refuse-large-body.js";

const read = express.json({
  limit: MAX_BODY_BYTES,
  strict: false,
  type: () => true,
  // 64 KiB need no compression, and what is not unpacked cannot be a bomb or broken.
  inflate: false,
  // A lenient decoder would replace broken bytes, and other text would be stored than was sent.
  verify: (_request, _response, bytes) => {
    if (!isUtf8(bytes)) throw new HttpError(400, "Malformed JSON");
  },
});

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Reads a JSON body of at most 64 KiB; more is refused as soon as it is known. A request without a body passes; another content type is refused with 415. */
export const readJson: RequestHandler = (request, response, next) => {
  if (hasBody(request.headers) && !request.is(["json", "application/*+json"]))
    throw new HttpError(415, "The body must be JSON (Content-Type: application/json)");
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES)
    return refuseLargeBody(request, response);
  let bytes = 0;
  let refused = false;
  // Seen before the reader sees it, which would wait for the end of the body to refuse it.
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) return;
    refused = true;
    request.off("data", count);
    refuseLargeBody(request, response);
  };
  if (hasBody(request.headers)) request.on("data", count);
  read(request, response, (error?: unknown) => {
    if (!refused) next(error);
  });
};
