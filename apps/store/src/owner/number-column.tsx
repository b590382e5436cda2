import type { ReactElement } from "react";

/** The heading of a column of numbers. */
export const NumberColumn = ({ name }: { name: string }): ReactElement => (
  <th scope="col" className="number">
    {name}
  </th>
);
