import {
  type EventName,
  type Replay,
  type ReplayList,
  type ReplayPreview,
  replayAnswerSchema,
  replayListAnswerSchema,
  replayPreviewAnswerSchema,
} from "@tillgate/contract";
import { type CallOptions, keyed } from "./call-options.js";
import { walk } from "./paging.js";
import { type Line, send } from "./send.js";

/** Where to, and which events. Times are ISO 8601 with an offset. */
export type ReplayRange = ({ endpoint_id: string } | { callback_url: string }) & {
  /** Left out: from the oldest event that is kept. */
  from?: string;
  /** Left out: up to now. */
  to?: string;
  /** Left out: those that the endpoint chose; for an address all. */
  events?: readonly EventName[];
};

/** `POST /webhooks/replays`. */
export type CreateReplay = ReplayRange & {
  /** Go on with the next event when an attempt fails, instead of waiting for it. */
  skip_failed?: boolean;
  /** Made by the client where it is left out, so that a retry begins no second one. */
  idempotency_key?: string;
};

/** `GET /webhooks/replays`. */
export type ListReplays = { endpoint_id?: string; cursor?: string; per_page?: number };

/** Events of a range sent again, in order, to one endpoint or address. */
export type Replays = {
  /** What one would send now. Nothing is sent. */
  preview(range: ReplayRange, options?: CallOptions): Promise<ReplayPreview>;
  create(input: CreateReplay, options?: CallOptions): Promise<Replay>;
  get(replayId: string, options?: CallOptions): Promise<Replay>;
  /** One page, the newest first. */
  list(query?: ListReplays, options?: CallOptions): Promise<ReplayList>;
  /** All of them, page by page: `for await (const replay of replays.all())`. */
  all(query?: ListReplays, options?: CallOptions): AsyncIterable<Replay>;
  /** Sends no further event. */
  cancel(replayId: string, options?: CallOptions): Promise<Replay>;
  /** Goes on with the event that was given up. */
  resume(replayId: string, options?: CallOptions): Promise<Replay>;
};

export function replaysOf(line: Line): Replays {
  const base = "/webhooks/replays";
  const step =
    (name: "cancel" | "resume"): Replays["cancel"] =>
    async (replayId, options = {}) => {
      const path = `${base}/${encodeURIComponent(replayId)}/${name}`;
      const answer = replayAnswerSchema;
      return (await send(line, { method: "POST", path, body: {}, answer, ...options })).data;
    };
  const list: Replays["list"] = async (query = {}, options = {}) => {
    const answer = replayListAnswerSchema;
    return (await send(line, { method: "GET", path: base, query: { ...query }, answer, ...options })).data;
  };
  return {
    async preview(body, options = {}) {
      const answer = replayPreviewAnswerSchema;
      return (await send(line, { method: "POST", path: `${base}/preview`, body, answer, ...options })).data;
    },
    async create(input, options = {}) {
      const { signal } = options;
      const call = { path: base, answer: replayAnswerSchema, ...keyed(input, options) };
      return (await send(line, { method: "POST", ...call, signal })).data;
    },
    async get(replayId, options = {}) {
      const path = `${base}/${encodeURIComponent(replayId)}`;
      return (await send(line, { method: "GET", path, answer: replayAnswerSchema, ...options })).data;
    },
    list,
    all: (filters = {}, options = {}) =>
      walk(filters, async (query) => {
        const page = await list(query, options);
        return { items: page.replays, next: page.next_cursor };
      }),
    cancel: step("cancel"),
    resume: step("resume"),
  };
}
