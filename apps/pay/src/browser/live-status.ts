import { STREAM_ALIVE_EVENT, STREAM_SILENT_MS } from "@tillgate/contract/live-stream";
import type { Connection } from "./page";
import { fetchWithin } from "./polling";

/** How often the page asks while the live stream does not get through. */
const POLL_MS = 3000;
/** How long an answer to that may take before it counts as lost. */
const ANSWER_MS = 4000;
/** The browser opens a broken stream again after two seconds; before that the page need not ask. */
const FIRST_ASK_MS = 1000;
/** Random delay, so that not all pages ask at once when a server goes away. */
const SPREAD_MS = 1000;

export type StatusListener = {
  /** The order's state is not the one on the page any more. */
  changed(): void;
  /** Milliseconds until the order expires, by the server's clock. */
  timeLeft(milliseconds: number): void;
  /** The connection has changed. */
  connection(connection: Connection): void;
};

export type StatusWatch = {
  /** Asks for the status now. @returns it; undefined where no answer came. */
  ask(): Promise<string | undefined>;
  end(): void;
};

type Status = {
  status: string;
  version: number;
  expires_in_ms: number;
};

/**
 * Follows the order of `main` by server-sent events, and by polling while those do not get through. A stream is trusted
 * only while it sends something: a silent one is closed and opened again.
 */
export function watchStatus(main: HTMLElement, listener: StatusListener): StatusWatch {
  const { token, orderStatus, version } = main.dataset;
  const address = `/pay/${token}`;
  let stream: EventSource | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let firstAsk: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Date.now();
  let asking = false;
  let ended = false;
  let known: Connection = "good";

  const say = (connection: Connection) => {
    if (ended || connection === known) return;
    known = connection;
    listener.connection(connection);
  };
  const hear = (status: Status) => {
    if (ended) return;
    const other = status.status !== orderStatus;
    // Typed text stays on a page that can be paid. A receipt follows each of its refunds.
    if (other || (orderStatus !== "PENDING" && String(status.version) !== version)) listener.changed();
    else listener.timeLeft(status.expires_in_ms);
  };
  const ask = async (): Promise<string | undefined> => {
    if (asking || ended) return undefined;
    asking = true;
    try {
      const { response, text } = await fetchWithin(ANSWER_MS, `${address}/status`);
      if (ended) return undefined;
      if (response.status === 404) listener.changed();
      else if (!response.ok) say("unavailable");
      else {
        const back = known !== "good";
        say("good");
        const status = JSON.parse(text) as Status;
        hear(status);
        if (back && stream?.readyState === EventSource.CLOSED) connect();
        return status.status;
      }
      return undefined;
    } catch {
      say(navigator.onLine ? "lost" : "offline");
      return undefined;
    } finally {
      asking = false;
    }
  };
  const rest = () => {
    clearInterval(polling);
    clearTimeout(firstAsk);
    polling = undefined;
    firstAsk = undefined;
  };
  const keepAsking = () => {
    polling ??= setInterval(ask, POLL_MS);
  };
  const watch = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      connect();
      void ask();
    }, STREAM_SILENT_MS);
  };
  /** The stream sent something. What was buffered when the browser went offline proves nothing: polling decides then. */
  const alive = () => {
    if (ended) return;
    heardAt = Date.now();
    watch();
    if (!navigator.onLine) return keepAsking();
    rest();
    say("good");
  };
  function connect(): void {
    if (ended) return;
    stream?.close();
    stream = new EventSource(`${address}/events`);
    stream.onerror = () => {
      firstAsk ??= setTimeout(ask, FIRST_ASK_MS + Math.random() * SPREAD_MS);
      keepAsking();
    };
    stream.addEventListener(STREAM_ALIVE_EVENT, alive);
    stream.addEventListener("status", (event) => {
      alive();
      hear(JSON.parse(event.data) as Status);
    });
    keepAsking();
    watch();
  }
  const look = () => {
    // A device that slept, or a tab with stopped timers, checks when it becomes visible.
    if (document.visibilityState !== "visible") return;
    const silent = Date.now() - heardAt > STREAM_SILENT_MS;
    if (silent || stream?.readyState === EventSource.CLOSED) connect();
    void ask();
  };
  const online = () => {
    connect();
    void ask();
  };
  const offline = () => say("offline");
  document.addEventListener("visibilitychange", look);
  addEventListener("online", online);
  addEventListener("offline", offline);
  connect();
  if (!navigator.onLine) offline();

  return {
    ask,
    end: () => {
      ended = true;
      stream?.close();
      rest();
      clearTimeout(watchdog);
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", online);
      removeEventListener("offline", offline);
    },
  };
}
