const width = 48
const height = 18

/** Draws a few numbers over time, oldest first, from zero to the highest; render the numbers themselves beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(...values, 1)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)} ${(height - 1 - (value / highest) * (height - 3)).toFixed(1)}`,
  )
  return (
    <svg
      aria-hidden="true"
      className="block shrink-0"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
    >
      <path d={`M${points.join('L')}`} className="stroke-ink-3 stroke-[1.2] [stroke-linejoin:round]" />
    </svg>
  )
}
