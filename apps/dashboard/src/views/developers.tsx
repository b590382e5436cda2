import { hasRight } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { TextKey } from "#texts/texts.ts";
import { useMerchantPage } from "./use-page";

const TABS = [
  ["keys", [], "credentials.view"],
  ["requests", ["requests"], "requests.view"],
  ["reference", ["reference"], "credentials.view"],
] as const;

export function DeveloperTabs({ current }: { current: (typeof TABS)[number][0] }): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  return (
    <nav className="modes" aria-label={t("nav.developers")}>
      {TABS.filter(([, , right]) => hasRight(merchant.role, right)).map(([name, parts]) => {
        const key: TextKey = `developers.${name}`;
        return (
          <a
            key={name}
            href={to("developers", ...parts)}
            aria-current={name === current ? "page" : undefined}
          >
            {t(key)}
          </a>
        );
      })}
    </nav>
  );
}

/** Renders an HTTP status with the error code. The meaning does not depend on the colour. */
export function StatusCode({ status, code }: { status: number | null; code: string | null }): ReactNode {
  if (status === null) return "–";
  const tone = status >= 500 ? "bad" : status >= 400 ? "late" : "good";
  return (
    <>
      <span className={`badge ${tone}`}>{status}</span> {code ? <code>{code}</code> : null}
    </>
  );
}
