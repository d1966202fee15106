// Types that the widgets share.

/** The value of an attribute; a function is a listener, null and false remove the attribute. */
export type Value = string | number | boolean | null | undefined | ((event: any) => unknown);
export type Attributes = Record<string, Value>;
/** The content of an element: nodes and texts; null and false are left out. */
export type Child = Node | string | false | null | undefined;

/** The model of a view, from anywidget, or from `standalone.js` in a page. */
export interface Model {
  get(name: string): any;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: object): void;
  on(event: string, hear: (message: any) => unknown): void;
  off(event: string, hear: (message: any) => unknown): void;
  /** Returns the standalone page around the widget as text. */
  page?(): string;
  widget_manager?: { kernel?: { status: string } };
}

/** Python's answer to a request; `error` is empty on success. */
export type Answer = { id: string; error?: string; [name: string]: any };
