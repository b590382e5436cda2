import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

export type TraceContext = Context;

export type TracingOptions = {
  service: string;
  /** An OTLP/HTTP collector, such as `http://127.0.0.1:4318`. Without a collector, tracing is off. */
  collector: string | undefined;
  /** Share of root traces, from 0 to 1. A caller's sampling decision takes precedence. */
  sampleRatio: number;
};

/** Limits the export of the last spans at shutdown. */
const LAST_SEND_MS = 3_000;

let tracer: Tracer | undefined;

/** Returns whether the current work belongs to a trace. Spans are created only then, so that polling starts no traces. */
export const isTraced = (parent: TraceContext = context.active()): boolean =>
  tracer !== undefined && trace.getSpanContext(parent) !== undefined;

/** Starts tracing, and loads the OpenTelemetry SDK only if a collector is configured. `close` exports the last spans. */
export async function startTracing({
  service,
  collector,
  sampleRatio,
}: TracingOptions): Promise<{ close(): Promise<void> }> {
  if (collector === undefined) return { close: async () => undefined };
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `${collector}/v1/traces` }), {
        exportTimeoutMillis: LAST_SEND_MS,
      }),
    ],
  });
  provider.register();
  // Next would otherwise use the global provider, and write URLs, which contain tokens, into spans.
  trace.disable();
  tracer = provider.getTracer("tillgate");
  return {
    // An unreachable collector must not fail the shutdown.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

export const currentTraceContext = (): TraceContext => context.active();

export const withTraceContext = <Result>(parent: TraceContext, work: () => Result): Result =>
  context.with(parent, work);

/** Parses a W3C Trace Context header; undefined if it is missing or invalid, or tracing is off. */
export function parseTraceparent(traceparent: string | null | undefined): TraceContext | undefined {
  if (!traceparent) return undefined;
  const extracted = propagation.extract(ROOT_CONTEXT, { traceparent });
  return trace.getSpanContext(extracted) && extracted;
}

/** Formats the active context as a `traceparent` header; null if it is not traced. Also works in a copy of this module bundled by Next. */
export function traceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

export function withTraceparent(headers: Record<string, string>): Record<string, string> {
  const parent = traceparent();
  return parent === null ? headers : { ...headers, traceparent: parent };
}

type SpanOptions = {
  kind?: keyof typeof SpanKind;
  /** IDs, names and numbers; never secrets or personal data. */
  attributes?: Attributes;
  /** Default: the active context, which also takes precedence if both belong to the same trace. Contexts of different traces are linked. */
  parent?: TraceContext | undefined;
  /** Contexts of other requests that this span does work for. */
  links?: TraceContext[];
};

/** Runs work in a span, or without a span if tracing is off or the parent is not traced. An error is recorded by name and rethrown. */
export async function withSpan<Result>(
  name: string,
  { kind = "INTERNAL", attributes = {}, parent: explicit, links = [] }: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const active = context.active();
  const parent = explicit === undefined || isSameTrace(explicit, active) ? active : explicit;
  if (tracer === undefined || !isTraced(parent)) return work(undefined);
  const linked = parent === active ? links : [...links, active];
  const options = {
    kind: SpanKind[kind],
    attributes,
    links: linked.flatMap((linkedContext) => {
      const spanContext = trace.getSpanContext(linkedContext);
      return spanContext ? [{ context: spanContext }] : [];
    }),
  };
  return tracer.startActiveSpan(name, options, parent, async (span) => {
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

const isSameTrace = (a: TraceContext, b: TraceContext): boolean =>
  trace.getSpanContext(a)?.traceId === trace.getSpanContext(b)?.traceId;

const fail = (span: Span, type: string): void => {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

export type RequestSpan = {
  run(next: () => void): void;
  /** Ends the span. `route` is the pattern of the route, because URLs contain tokens. */
  end(ended: { method: string; route: string | undefined; status: number; requestId?: string }): void;
};

/**
 * @param caller the `traceparent` that the span continues.
 * @param options.root whether a request without a `traceparent` starts a trace (the default).
 * @returns undefined if the request is not traced.
 */
export function startRequestSpan(
  caller: string | undefined,
  { root = true }: { root?: boolean } = {},
): RequestSpan | undefined {
  const continued = parseTraceparent(caller);
  if (tracer === undefined || (continued === undefined && !root)) return undefined;
  const parent = continued ?? ROOT_CONTEXT;
  const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, parent);
  return {
    run: (next) => context.with(trace.setSpan(parent, span), next),
    end({ method, route = "unknown route", status, requestId }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        ...(requestId !== undefined && { "tillgate.request_id": requestId }),
      });
      if (status >= 500) fail(span, String(status));
      span.end();
    },
  };
}
