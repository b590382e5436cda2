import Head from "next/head";
import type { ReactNode } from "react";
import { usePage } from "./use-page";

/** Without scripts. */
const REFRESH_SECONDS = 4;

type FollowingProps = {
  children: ReactNode;
  /** Without scripts. False for a page with input fields, because a reload would lose their input. */
  reloads?: boolean;
};

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
