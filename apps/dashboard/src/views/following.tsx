import Head from "next/head";
import type { ReactNode } from "react";
import { usePage } from "./use-page";

/** How often the page is read again without scripts, in seconds. */
const REFRESH_SECONDS = 4;

type FollowingProps = {
  children: ReactNode;
  /** Whether the page is read again without scripts: not where something is typed beside it. */
  reloads?: boolean;
};

/** A part of a page that follows work under way: the script draws it again; without scripts the browser reads the page again. */
export function Following({ children, reloads = true }: FollowingProps): ReactNode {
  const { page, t } = usePage();
  return (
    <div className="following" data-following="">
      {reloads ? (
        <Head>
          <noscript>
            <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
          </noscript>
        </Head>
      ) : null}
      {children}
      <p className="without-script">
        <a href={page.path}>{t("batch.refresh")}</a>
      </p>
    </div>
  );
}

/** Looks again: by hand, or every few seconds while the second button is pressed. */
export function LiveTools(): ReactNode {
  const { page, t } = usePage();
  return (
    <>
      <a className="button quiet" href={page.path}>
        {t("live.refresh")}
      </a>
      <button type="button" className="button quiet with-script" aria-pressed="false" data-follow="">
        {t("live.follow")}
      </button>
    </>
  );
}
