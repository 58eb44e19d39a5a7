const shapes = {
  play: 'M5 3.2v9.6L12.6 8z',
  pause: 'M4.5 3.5h2.2v9H4.5zM9.3 3.5h2.2v9H9.3z',
  back: 'M7.6 3.6v8.8L1.4 8zM14 3.6v8.8L7.8 8z',
  forward: 'M8.4 3.6v8.8L14.6 8zM2 3.6v8.8L8.2 8z',
  full: 'M2.5 6V2.5H6v1.2H3.7V6zM10 2.5h3.5V6h-1.2V3.7H10zM13.5 10v3.5H10v-1.2h2.3V10zM6 13.5H2.5V10h1.2v2.3H6z',
} as const

/** A picture inside a button of the player that has a name of its own. */
export function PlayerIcon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="currentColor"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
