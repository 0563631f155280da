/** Whether the head of a card and its answers can be seen. */
export function isInView(element: HTMLElement | null): boolean {
  if (element === null) return false;
  const { top, bottom, height } = element.getBoundingClientRect();
  const [from, to] = [48, window.innerHeight];
  const visible = Math.min(bottom, to) - Math.max(top, from);
  return visible > Math.min(height, to - from) * 0.6;
}
