// What the widgets' modules share.

/** What an attribute is set to; a function listens, null and false take it away. */
export type Value = string | number | boolean | null | undefined | ((event: any) => unknown);
export type Attributes = Record<string, Value>;
/** What stands in an element: nodes, texts, lists of them; null is left out. */
export type Child = Node | string | false | null | undefined;

/** What anywidget gives a view, or `standalone.js` in a page. */
export interface Model {
  get(name: string): any;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: object): void;
  on(event: string, hear: (message: any) => unknown): void;
  off(event: string, hear: (message: any) => unknown): void;
  /** The page around the widget as a text, where it is one. */
  page?(): string;
  widget_manager?: { kernel?: { status: string } };
}

/** What Python says to a request: `error` is empty if all went well. */
export type Answer = { id: string; error?: string; [name: string]: any };
