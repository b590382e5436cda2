import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** Where a span stands: what becomes its child, or is linked to it. */
export type TraceContext = Context;

type TracingOptions = {
  /** The program, as it is shown. */
  service: string;
  /** Of a collector that speaks OTLP over HTTP, such as `http://127.0.0.1:4318`; undefined: nothing is traced. */
  collector: string | undefined;
  /** Of so many traces that begin here one is kept. A caller who traces decides for its own. */
  oneOf: number;
};

/** Sending goes on for so long at the end, in milliseconds. */
const LAST_SEND_MS = 3_000;

let tracing = false;
/** Whether this process traces. */
export const isTracing = (): boolean => tracing;
const tracer = () => trace.getTracer("tillgate");

/**
 * Begins to trace this process by OpenTelemetry. Its library is only loaded where there is a collector.
 * @returns what sends the last spans, at the end.
 */
export async function startTracing({
  service,
  collector,
  oneOf,
}: TracingOptions): Promise<{ close(): Promise<void> }> {
  if (collector === undefined) return { close: async () => undefined };
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(1 / oneOf) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `${collector}/v1/traces` }), {
        exportTimeoutMillis: LAST_SEND_MS,
      }),
    ],
  });
  provider.register();
  tracing = true;
  return {
    // A collector that is away must not fail what was done well.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Where the running call stands. */
export const currentTraceContext = (): TraceContext => context.active();

/** Runs work at a place, such as that of the call which asked for it. */
export const withTraceContext = <Result>(place: TraceContext, work: () => Result): Result =>
  context.with(place, work);

/** The place that a `traceparent` (W3C Trace Context) names; undefined without one, or one that cannot be read. */
export function parseTraceparent(traceparent: string | null | undefined): TraceContext | undefined {
  if (!tracing || !traceparent) return undefined;
  const place = propagation.extract(ROOT_CONTEXT, { traceparent });
  return trace.getSpanContext(place) && place;
}

/** The `traceparent` of the running call; null where it is not traced. */
export function traceparent(): string | null {
  if (!tracing) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Headers of a call to another program, with the `traceparent` where this one traces. */
export function withTraceparent(headers: Record<string, string>): Record<string, string> {
  const own = traceparent();
  return own === null ? headers : { ...headers, traceparent: own };
}

type SpanOptions = {
  kind?: keyof typeof SpanKind;
  /** Ids, names and numbers. Never a secret or a person. */
  attributes?: Attributes;
  /** Default: the running call. With another one, the span is also linked to the running call. */
  parent?: TraceContext | undefined;
  /** Others that this one does the work of. */
  links?: TraceContext[];
};

/** Does work as one span. Its error is recorded by its name, and thrown on. */
export async function withSpan<Result>(
  name: string,
  { kind = "INTERNAL", attributes = {}, parent, links = [] }: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracing) return work(undefined);
  const linked = parent === undefined ? links : [...links, context.active()];
  const options = {
    kind: SpanKind[kind],
    attributes,
    links: linked.flatMap((place) => {
      const found = trace.getSpanContext(place);
      return found ? [{ context: found }] : [];
    }),
  };
  return tracer().startActiveSpan(name, options, parent ?? context.active(), async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, error instanceof Error ? error.name : "error");
      throw error;
    } finally {
      span.end();
    }
  });
}

const fail = (span: Span, type: string): void => {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** A request that a server answers, as a span. */
export type RequestSpan = {
  /** Goes on within it. */
  run(next: () => void): void;
  /** @param route the pattern of the route; addresses hold tokens. */
  end(ended: { method: string; route: string | undefined; status: number; requestId: string }): void;
};

/** Begins the span of a request. @returns undefined where nothing is traced. */
export function beginRequestSpan(caller: string | undefined): RequestSpan | undefined {
  if (!tracing) return undefined;
  const place = parseTraceparent(caller) ?? ROOT_CONTEXT;
  const span = tracer().startSpan("request", { kind: SpanKind.SERVER }, place);
  return {
    run: (next) => context.with(trace.setSpan(place, span), next),
    end({ method, route = "unknown route", status, requestId }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "tillgate.request_id": requestId,
      });
      if (status >= 500) fail(span, String(status));
      span.end();
    },
  };
}
