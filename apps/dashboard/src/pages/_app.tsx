import type { AppProps } from "next/app";
import type { ReactNode } from "react";
import type { PageProps } from "#server/page.ts";
import { ProblemView } from "#views/problem.tsx";
import { PageProvider } from "#views/use-page.tsx";

/** Provides the page's texts, and renders the problem page if there is a problem. */
export default function App({ Component, pageProps }: AppProps<Partial<PageProps<object>>>): ReactNode {
  // Next renders its own error pages without a request.
  if (pageProps.page === undefined) return <Component {...pageProps} />;
  return (
    <PageProvider page={pageProps.page}>
      {"problem" in pageProps && pageProps.problem ? (
        <ProblemView problem={pageProps.problem} />
      ) : (
        <Component {...("data" in pageProps ? pageProps.data : {})} />
      )}
    </PageProvider>
  );
}
