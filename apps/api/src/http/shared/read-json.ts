import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { MAX_BATCH_BODY_BYTES, MAX_BODY_BYTES, MAX_LOGO_BODY_BYTES, Refusal } from "@tillgate/contract";
import express, { type Request, type RequestHandler } from "express";
import { OperationError } from "../../operation-error.js";
import { losesDigits, parseLosslessly } from "./parse-losslessly.js";
import { refuseLargeBody } from "./refuse-large-body.js";

/** Bodies with a number that a float may alter: they are read a second time, digit by digit. */
const exactTexts = new WeakMap<IncomingMessage, string>();

const utf8 = new TextDecoder();

/** The calls that bring a picture or a file. Console users only may do more with them than be refused. */
const LARGE_BODIES = [
  [/^\/console\/v1\/merchants\/[^/]+\/branding$/, MAX_LOGO_BODY_BYTES],
  [/^\/console\/v1\/merchants\/[^/]+\/[^/]+\/payouts\/batches$/, MAX_BATCH_BODY_BYTES],
] as const;
const limitOf = ({ path }: Request): number =>
  LARGE_BODIES.find(([paths]) => paths.test(path))?.[1] ?? MAX_BODY_BYTES;

const read = express.json({
  // The largest of all; what a path may bring is counted below.
  limit: MAX_BATCH_BODY_BYTES,
  strict: false,
  type: () => true,
  // 64 KiB need no compression, and a body that is not unpacked cannot be a bomb or broken.
  inflate: false,
  // A lenient decoder would replace broken bytes and store another text than was sent.
  verify: (request, _response, bytes, encoding) => {
    if (encoding !== "utf-8") throw new OperationError(Refusal.UnsupportedCharset);
    if (!isUtf8(bytes)) throw new OperationError(Refusal.MalformedJson);
    const text = utf8.decode(bytes);
    if (losesDigits(text)) exactTexts.set(request, text);
  },
});

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Reads a JSON body of at most 64 KiB, or of the limit of the call that brings a file; more is refused as soon as it is known. A request without a body passes; another content type is refused with 415. */
export const readJson: RequestHandler = (request, response, next) => {
  if (hasBody(request.headers) && !request.is(["json", "application/*+json"]))
    throw new OperationError(Refusal.NotJson);
  const limit = limitOf(request);
  if (Number(request.headers["content-length"] ?? 0) > limit) return refuseLargeBody(request, response);
  let bytes = 0;
  let refused = false;
  // Checked before the reader, which would wait for the end of the body to refuse it.
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) return;
    refused = true;
    request.off("data", count);
    refuseLargeBody(request, response);
  };
  if (hasBody(request.headers)) request.on("data", count);
  read(request, response, (error?: unknown) => {
    if (refused) return;
    const text = exactTexts.get(request);
    if (error !== undefined || text === undefined) return next(error);
    // An error thrown here would not be caught.
    try {
      request.body = parseLosslessly(text);
    } catch (tooDeep) {
      return next(tooDeep);
    }
    next();
  });
};
