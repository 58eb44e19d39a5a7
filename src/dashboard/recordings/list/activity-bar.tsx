const step = 4
const height = 16

/** Shows the activity (0 to 1) in each part of a recording; a part without activity is a dot. */
export function ActivityBar({ shares }: { shares: readonly number[] }) {
  const width = shares.length * step
  return (
    <svg
      aria-hidden="true"
      className="block shrink-0"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {shares.map((share, index) => {
        const high = share > 0 ? 2 + share * (height - 2) : 1
        const place = { x: index * step, y: height - high, width: step - 1.5, height: high }
        return <rect key={index} {...place} rx="0.5" className={share > 0 ? 'fill-ink-3' : 'fill-idle'} />
      })}
    </svg>
  )
}
