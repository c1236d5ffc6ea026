import { Component, type ReactElement, type ReactNode } from "react";

interface Props {
  /** The answers from which the children are drawn. */
  readonly given: object;
  /** Stands in place of the children, if drawing them throws, until other answers are given. */
  readonly fallback: ReactElement;
  readonly children: ReactNode;
}

/** Keeps an error of what it draws, now or after a click, from the page of the host. */
export class Boundary extends Component<Props, { readonly failed: object | undefined }> {
  override state: { readonly failed: object | undefined } = { failed: undefined };

  override componentDidCatch(): void {
    this.setState({ failed: this.props.given });
  }

  override render(): ReactNode {
    return this.state.failed === this.props.given ? this.props.fallback : this.props.children;
  }
}
