import { consoleRequestResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { StatusCode } from "#views/developers.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Code, Facts, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { request: z.infer<typeof consoleRequestResponseSchema>["data"] };

/** Indents a logged JSON body. A truncated body is shown unchanged. */
const indentJson = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

export default function RequestPage({ request }: Props): ReactNode {
  const { t, f, to } = useMerchantPage();
  const { about, request_body: requestBody, answer_body: responseBody, duration_ms: duration } = request;
  return (
    <Frame
      title={`${request.method ?? ""} ${request.path ?? t("requests.gap", { count: request.dropped })}`}
      back={{ href: to("developers", "requests"), text: t("requests.title") }}
      tools={<StatusCode status={request.status} code={request.error_code} />}
    >
      <Card>
        <Facts
          rows={[
            [t("requests.id"), request.request_id && <code>{request.request_id}</code>],
            [t("requests.at"), <Time key="at" at={request.at} exact />],
            [t("requests.duration"), duration === null ? null : `${f.number(duration)} ms`],
            [t("credentials.clientId"), request.client_id],
            [t("requests.from"), request.client_address],
            // The search redirects to the object with this ID.
            [
              t("requests.about"),
              about && <a href={`${to("search")}?${new URLSearchParams({ q: about })}`}>{about}</a>,
            ],
          ]}
        />
      </Card>
      <Card title={t("requests.sent")}>
        {requestBody === null ? (
          <p className="soft">{t("requests.noBody")}</p>
        ) : (
          <Code id="request-body" text={indentJson(requestBody)} />
        )}
      </Card>
      <Card title={t("requests.response")}>
        {responseBody === null ? (
          <p className="soft">{t("requests.noBody")}</p>
        ) : (
          <Code id="answer-body" text={indentJson(responseBody)} />
        )}
      </Card>
      <p className="soft">{t("requests.masked")}</p>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => ({
    request: await read(apiPath("requests", part("id")), consoleRequestResponseSchema),
  }),
});
