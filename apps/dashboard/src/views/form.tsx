/** What forms are made of. */
export { Button, NoDefaultButton } from "./button";
export { Confirmation } from "./confirmation";
export { Field, FileField, Select, TextArea } from "./fields";
export { Form } from "./form-element";
export { useRefused } from "./form-state";
export { SecondFactorField } from "./second-factor";
