const shapes = {
  home: 'M3 7l5-4 5 4v6H3z',
  exports: 'M2.5 4.5h7M2.5 8h5M2.5 11.5h7M10 8h4m0 0l-2-2m2 2l-2 2',
  play: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.7 5.6v4.8L10.5 8z',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.5.6 2.5 1.8 2.5 3.6',
  key: 'M5.5 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 8.3L13 3m-2 2l1.7 1.7',
  settings: 'M2.5 5h5.5m3 0h2.5M2.5 11h2.5m3 0h5.5M8 3.3h3v3.4H8zM5 9.3h3v3.4H5z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  close: 'M4 4l8 8M12 4l-8 8',
  left: 'M9.5 4.5L6 8l3.5 3.5',
  right: 'M6.5 4.5L10 8l-3.5 3.5',
  plus: 'M8 3.5v9M3.5 8h9',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3L13.5 13.5',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  alert: 'M8 2.5l6 10.5H2zM8 6.5v3m0 1.6v.2',
  bell: 'M3 11.5h10l-1.2-2V7a3.8 3.8 0 0 0-7.6 0v2.5zM6.7 13.5h2.6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  check: 'M3.5 8.5l3 3 6-7',
  dash: 'M4.5 8h7',
  share: 'M8 9.5v-7m0 0L5.5 5M8 2.5L10.5 5M4.5 7.5h-1v6h9v-6h-1',
  text: 'M3 4.5h10M3 8h10M3 11.5h6',
  leave: 'M9.5 3H3.5v10h6M7 8h6.5m0 0L11 5.5M13.5 8L11 10.5',
} as const

export type IconName = keyof typeof shapes

/** A decorative icon, beside text or in a button with an accessible name. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return <LineDrawing path={shapes[name]} size={size} strokeWidth={name === 'more' ? 2 : 1.3} />
}

type LineDrawingProps = { path: string; size?: number; strokeWidth?: number }

/** Decorative lines, drawn in a box of 16 × 16. */
export function LineDrawing({ path, size = 16, strokeWidth = 1.3 }: LineDrawingProps) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}

export function Logo() {
  return (
    <svg aria-hidden="true" className="text-accent" width="18" height="18" viewBox="0 0 18 18" fill="none">
      <circle cx="9" cy="9" r="7.6" stroke="currentColor" strokeWidth="1.8" />
      <circle cx="9" cy="9" r="2" fill="currentColor" />
      <path d="M9 1.6v3.6M15.4 12.7l-3.1-1.8M2.6 12.7l3.1-1.8" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  )
}
