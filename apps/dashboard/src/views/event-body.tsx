import type { ReactNode } from "react";
import { Card, Code } from "./parts";
import { usePage } from "./use-page";

/** The bytes that are sent, with line breaks for reading. */
export function EventBody({ body }: { body: string }): ReactNode {
  const { t } = usePage();
  return (
    <Card title={t("delivery.body")}>
      <Code id="event-body" text={readable(body)} />
    </Card>
  );
}

/** As it is where it is no JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
