/** The fallback asks this often while the live stream does not get through. */
const POLL_MS = 3000;

export interface StatusListener {
  /** The order is no longer what the page shows. */
  changed(): void;
  /** Milliseconds until the order expires, by the server's clock. */
  timeLeft(milliseconds: number): void;
}

export interface StatusWatch {
  /** Asks for the status now. */
  ask(): void;
  end(): void;
}

interface Status {
  status: string;
  version: number;
  expires_in_ms: number;
}

/** Follows the order of `main` by server-sent events, and by asking again and again while those fail. */
export function watchStatus(main: HTMLElement, listener: StatusListener): StatusWatch {
  const address = `/pay/${main.dataset.token}`;
  const connection = main.querySelector<HTMLElement>("[data-connection]");
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let ended = false;

  const hear = (status: Status) => {
    if (ended) return;
    if (connection !== null) connection.textContent = "";
    if (status.status !== main.dataset.orderStatus) listener.changed();
    else listener.timeLeft(status.expires_in_ms);
  };
  const ask = async () => {
    try {
      const response = await fetch(`${address}/status`, { cache: "no-store" });
      if (response.ok) hear((await response.json()) as Status);
    } catch {
      if (!ended && connection !== null) connection.textContent = connection.dataset.lost ?? "";
    }
  };
  const stopAsking = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const keepAsking = () => {
    timer ??= setInterval(ask, POLL_MS);
  };
  const connect = () => {
    stream = new EventSource(`${address}/events`);
    stream.onopen = stopAsking;
    stream.onerror = keepAsking;
    stream.addEventListener("status", (event) => hear(JSON.parse(event.data) as Status));
  };
  const look = () => {
    // A browser that gave the stream up for good, or a device that slept, starts anew when it is looked at.
    if (document.visibilityState !== "visible") return;
    if (stream?.readyState === EventSource.CLOSED) connect();
    void ask();
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  connect();

  return {
    ask: () => void ask(),
    end: () => {
      ended = true;
      stream?.close();
      stopAsking();
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", look);
    },
  };
}
