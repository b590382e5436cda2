import {
  type ConsoleSearchResponse,
  type consoleSearchHitSchema,
  consoleSearchResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import type { PageRequest } from "#server/request.ts";
import { Frame } from "#views/frame.tsx";
import { withQuery } from "#views/list-columns.tsx";
import { Badge, Card, Empty, Money, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Hit = z.infer<typeof consoleSearchHitSchema>;
type More = ConsoleSearchResponse["more"][number];
type Props = { q: string; hits: (Hit & { path: string })[]; more: { kind: More; path: string }[] };

export default function SearchPage({ q, hits, more }: Props): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={q === "" ? t("search.label") : t("search.title", { q })}>
      {hits.length === 0 ? (
        <Empty title={t(q === "" ? "search.empty" : "search.none")}>
          <p>{t("search.what")}</p>
        </Empty>
      ) : (
        <Card>
          <Table
            caption={t("search.title", { q })}
            rows={hits}
            keyOf={({ kind, id }) => `${kind}-${id}`}
            columns={[
              { title: t("search.found"), cell: ({ path, title, id }) => <a href={path}>{title ?? id}</a> },
              { title: t("search.kind"), cell: ({ kind }) => t(`kind.${kind}`), words: true },
              {
                title: t("list.amount"),
                cell: ({ money }) => (money === null ? "–" : <Money money={money} />),
                number: true,
              },
              {
                title: t("list.status"),
                cell: ({ status }) => (status === null ? "–" : <Badge status={status} />),
              },
              { title: t("list.created"), cell: ({ at }) => <Time at={at} /> },
            ]}
          />
        </Card>
      )}
      {more.length === 0 ? null : (
        <div className="box note" data-testid="more-hits">
          <p>{t("search.moreText")}</p>
          <p className="tools">
            {more.map(({ kind, path }) => (
              <a key={kind} className="button quiet" href={path}>
                {t(`allMatching.${kind}`)}
              </a>
            ))}
          </p>
        </div>
      )}
    </Frame>
  );
}

function hitPath({ consolePath }: PageRequest, { kind, id }: Hit): string {
  switch (kind) {
    case "order":
    case "refund":
    case "payout":
      return consolePath(`${kind}s`, id);
    case "delivery":
      return consolePath("webhooks", "deliveries", id);
    case "endpoint":
      return consolePath("webhooks", id);
    case "event":
      return consolePath("webhooks", "events", id);
    case "credential":
      return consolePath("developers");
    case "request":
      return consolePath("developers", "requests", id);
    case "link":
    case "till":
      return consolePath(`${kind}s`, id);
    case "batch":
      return consolePath("payouts", "batches", id);
  }
}

const search = async (request: PageRequest): Promise<Props> => {
  const q = (request.query("q") ?? "").trim();
  if (q === "") return { q, hits: [], more: [] };
  const { hits, more } = await request.read(request.apiPath("search"), consoleSearchResponseSchema, {
    q,
  });
  const listAddress = (kind: More) => withQuery(request.consolePath(`${kind}s`), { q });
  return {
    q,
    hits: hits.map((hit) => ({ ...hit, path: hitPath(request, hit) })),
    more: more.map((kind) => ({ kind, path: listAddress(kind) })),
  };
};

export const getServerSideProps = consolePage<Props>({
  load: search,
  redirectTo: (_request, { hits }) => {
    const exact = hits.filter((hit) => hit.exact);
    return exact.length === 1 ? (exact[0]?.path ?? null) : null;
  },
});
