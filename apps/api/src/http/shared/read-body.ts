import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import {
  ErrorCode,
  errorEnvelope,
  MAX_BATCH_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_COMPARISON_BODY_BYTES,
  MAX_LOGO_BODY_BYTES,
  NumberText,
} from "@tillgate/contract";
import express, { type Request, type RequestHandler, type Response } from "express";
import { isSafeNumber, parse } from "lossless-json";
import { OperationError } from "../../errors.js";
import { getApi } from "./routes.js";

/** A double preserves every number of up to 15 digits. A run of 16 digits and points may be a longer number. */
const LONG_NUMBER = /[\d.]{16}/;

const losesDigits = (text: string): boolean => LONG_NUMBER.test(text);

/**
 * How much of a rejected body is still read, and for how long. Many clients read the response only after they have sent everything, and closing a
 * connection with unread bytes loses the response.
 */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 1_000;

/** Bodies with a number that a double may round. They are parsed again without loss. */
const exactTexts = new WeakMap<IncomingMessage, string>();

const utf8 = new TextDecoder();

/** Body limits of routes that admit the caller before they read the body, or serve only console users. */
const LARGE_BODIES = [
  [/^\/pay\/(sandbox\/)?api\/v1\/comparisons\/[^/]+$/, MAX_COMPARISON_BODY_BYTES],
  [/^\/console\/v1\/merchants\/[^/]+\/branding$/, MAX_LOGO_BODY_BYTES],
  [/^\/console\/v1\/merchants\/[^/]+\/[^/]+\/payouts\/batches$/, MAX_BATCH_BODY_BYTES],
] as const;
const getBodyLimit = ({ baseUrl, path }: Request): number =>
  LARGE_BODIES.find(([paths]) => paths.test(baseUrl + path))?.[1] ?? MAX_BODY_BYTES;

const parseBody = express.json({
  // The largest of all limits. The limit of each path is enforced below.
  limit: MAX_COMPARISON_BODY_BYTES,
  strict: false,
  type: () => true,
  // 64 KiB need no compression, and without decompression there are no zip bombs.
  inflate: false,
  // A lenient decoder would replace invalid bytes and store a different text than was sent.
  verify: (request, _response, bytes, encoding) => {
    if (encoding !== "utf-8") throw new OperationError(ErrorCode.UnsupportedCharset);
    if (!isUtf8(bytes)) throw new OperationError(ErrorCode.MalformedJson);
    // A shop's orders contain amounts only as strings, and parsing megabytes twice would delay other requests.
    if (bytes.length > MAX_BATCH_BODY_BYTES) return;
    const text = utf8.decode(bytes);
    if (losesDigits(text)) exactTexts.set(request, text);
  },
});

const hasBody = (headers: NodeJS.Dict<string | string[]>): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Parses a JSON body. Rejects a body above the limit (64 KiB by default) as soon as its size is known, and any other content type with a 415.
 */
export const readJson: RequestHandler = (request, response, next) => {
  if (hasBody(request.headers) && !request.is(["json", "application/*+json"]))
    throw new OperationError(ErrorCode.NotJson);
  const limit = getBodyLimit(request);
  if (Number(request.headers["content-length"] ?? 0) > limit) return rejectLargeBody(request, response);
  let bytes = 0;
  let rejected = false;
  // Counted separately because the body parser rejects only after the end of the body.
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) return;
    rejected = true;
    request.off("data", count);
    rejectLargeBody(request, response);
  };
  if (hasBody(request.headers)) request.on("data", count);
  parseBody(request, response, (error?: unknown) => {
    if (rejected) return;
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

/**
 * Parses JSON that `JSON.parse` has accepted. A number that a double would round becomes a {@link NumberText}.
 * @throws OperationError MalformedJson for JSON nested too deeply for this parser.
 */
function parseLosslessly(text: string): unknown {
  try {
    return parse(text, undefined, {
      parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new NumberText(digits)),
      onDuplicateKey: ({ newValue }) => newValue,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new OperationError(ErrorCode.MalformedJson);
    throw error;
  }
}

/** Sends 413 without waiting for the end of the body, and closes the connection soon after. */
function rejectLargeBody(request: Request, response: Response): void {
  const envelope = errorEnvelope(ErrorCode.BodyTooLarge, getApi(request.originalUrl));
  const body = JSON.stringify(envelope);
  response.status(envelope.message.code).set({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  });
  // Completes the response for the client. The response is not ended yet, because that closes the connection while the client is still sending.
  response.write(body);
  let dropped = 0;
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES) end();
  };
  const timer = setTimeout(() => end(), LINGER_MS);
  const end = () => {
    clearTimeout(timer);
    request.off("data", drop);
    response.end();
  };
  request.once("end", end).once("close", end).on("data", drop);
}
