import { type ConsoleEntry, hasRight } from "@tillgate/contract";
import type { ReactNode } from "react";
import { translateCause } from "#texts/likely-cause.ts";
import { textOfCase } from "#texts/texts.ts";
import { Badge, Card, Money, Time } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

export type TimelineProps = {
  entries: ConsoleEntry[];
  more: boolean;
  /** The object's ID, to link to its API calls. */
  of?: string;
  /** URL of the trace in the trace viewer; null if there is no trace. */
  trace?: string | null;
};

export function Timeline({ entries, more, of, trace = null }: TimelineProps): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const requests =
    of !== undefined && hasRight(merchant.role, "requests.view")
      ? `${to("developers", "requests")}?${new URLSearchParams({ about: of })}`
      : null;
  // Only API calls are logged and have a page. Requests of the payment page and the console are not logged.
  const calls = new Map(
    entries.flatMap(({ kind, request_id, id }) =>
      kind === "request" && request_id ? [[request_id, id]] : [],
    ),
  );
  return (
    <Card
      title={t("timeline.title")}
      tools={
        <>
          {trace ? (
            <a href={trace} target="_blank" rel="noopener noreferrer">
              {t("timeline.trace")}
            </a>
          ) : null}
          {requests ? <a href={requests}>{t("timeline.requests")}</a> : null}
        </>
      }
      testId="timeline"
    >
      {more ? <p className="soft">{t("timeline.more")}</p> : null}
      <ol className="timeline">
        {groupAttempts(entries).map(({ entry, earlier }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: The list is rendered once, and an ID may occur twice.
          <li key={index} data-kind={entry.kind}>
            <Entry entry={entry} call={entry.request_id ? calls.get(entry.request_id) : undefined} />
            {earlier.length > 0 ? <EarlierAttempts attempts={earlier} /> : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

type Grouped = { entry: ConsoleEntry; earlier: ConsoleEntry[] };

function groupAttempts(entries: readonly ConsoleEntry[]): Grouped[] {
  const last = new Map<string, Grouped>();
  const groups = entries.map((entry): Grouped => {
    const group: Grouped = { entry, earlier: [] };
    if (entry.kind !== "attempt") return group;
    const before = last.get(entry.id);
    if (before) group.earlier = [...before.earlier, before.entry];
    last.set(entry.id, group);
    return group;
  });
  return groups.filter((group) => group.entry.kind !== "attempt" || last.get(group.entry.id) === group);
}

function EarlierAttempts({ attempts }: { attempts: readonly ConsoleEntry[] }): ReactNode {
  const { t } = usePage();
  return (
    <details className="more">
      <summary>{t("timeline.earlierAttempts", { count: attempts.length })}</summary>
      <ol className="attempts">
        {attempts.map((entry) => (
          <li key={entry.attempt}>
            <Time at={entry.at} exact />{" "}
            <span className="soft">
              {[
                entry.attempt !== null && t("timeline.attempt", { number: entry.attempt }),
                entry.http_status !== null && t("delivery.response", { status: entry.http_status }),
                entry.likely_cause ? translateCause(t, entry.likely_cause) : entry.error,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Entry({ entry, call }: { entry: ConsoleEntry; call: string | undefined }): ReactNode {
  const { t, f, merchant, to } = useMerchantPage();
  const isCall = entry.kind === "request";
  const isAct = entry.kind === "action";
  const callPath =
    call !== undefined && hasRight(merchant.role, "requests.view")
      ? to("developers", "requests", call)
      : null;
  const about = [
    entry.action && isAct && textOfCase(t, "act", entry.action),
    entry.action && !isAct && !isCall && textOfCase(t, "movement", entry.action),
    entry.user ? t("timeline.by", { user: entry.user }) : isAct && t("timeline.byHouse"),
    // An order has a description; all later entries have a reason.
    entry.kind === "order.created"
      ? entry.reason
      : entry.reason && t("timeline.reason", { reason: entry.reason }),
    entry.client_id && t("timeline.client", { client: entry.client_id }),
    entry.attempt !== null && t("timeline.attempt", { number: entry.attempt }),
    entry.http_status !== null && t("delivery.response", { status: entry.http_status }),
    entry.latency_ms !== null && `${f.number(entry.latency_ms)} ms`,
    // The likely cause explains the error.
    entry.likely_cause ? null : entry.error,
    entry.likely_cause && translateCause(t, entry.likely_cause),
    entry.shop_step && t("timeline.shopStep", { step: entry.shop_step }),
    entry.shop_order_status && textOfCase(t, "shopStatus", entry.shop_order_status),
  ].filter(Boolean);
  const request = entry.request_id ? (
    <>
      {t("timeline.request")} <code>{entry.request_id}</code>
    </>
  ) : null;
  return (
    <>
      <p>
        <strong>{textOfCase(t, "entry", entry.kind)}</strong>{" "}
        {entry.event ? <code>{entry.event}</code> : null}
        {isCall && entry.action ? <code>{entry.action}</code> : null}{" "}
        {entry.money ? <Money money={entry.money} /> : null}{" "}
        {entry.status && entry.kind !== "order.paid" ? <Badge status={entry.status} /> : null}{" "}
        <span className="soft">
          <Time at={entry.at} exact />
        </span>
      </p>
      {entry.address ? (
        <p>
          {entry.kind === "delivery" ? (
            <a href={to("webhooks", "deliveries", entry.id)}>{entry.address}</a>
          ) : (
            entry.address
          )}
        </p>
      ) : null}
      {about.length > 0 ? <p className="soft">{about.join(" · ")}</p> : null}
      {request ? <p className="soft">{callPath ? <a href={callPath}>{request}</a> : request}</p> : null}
      {entry.lines.length > 0 ? (
        <ul className="lines">
          {entry.lines.map(({ account, money }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: The list is rendered once, and an account may occur twice.
            <li key={index}>
              <span>{textOfCase(t, "account", account)}</span> <Money money={money} sign />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
