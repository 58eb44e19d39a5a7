const wall = '<rect width="240" height="200" fill="#f3ead9"/><path d="M0 172h240v28H0z" fill="#e2d3b8"/>'
const glow = (x, y, radius) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="#ffd98a" opacity=".45"/>`
const folds = (light, dark) =>
  `<rect width="240" height="200" fill="${light}"/>` +
  [0, 48, 96, 144, 192]
    .map((x) => `<path d="M${x} 0q22 100 0 200h24q22-100 0-200z" fill="${dark}" opacity=".35"/>`)
    .join('') +
  `<path d="M0 150q60-26 120 0t120 0v50H0z" fill="${dark}" opacity=".5"/>`

/** Inline SVG, so that a replay shows the drawings without loading anything. */
const drawings = {
  'arc-floor-lamp': `${wall}${glow(170, 92, 46)}<path d="M60 176V70q0-46 54-46t56 46" fill="none" stroke="#a8782c" stroke-width="5"/><path d="M142 92a28 28 0 0 1 56 0z" fill="#2f3b35"/><rect x="34" y="172" width="52" height="12" rx="3" fill="#cfcac0"/>`,
  'globe-pendant': `${wall}${glow(120, 104, 62)}<path d="M120 0v66" stroke="#3a3a36" stroke-width="3"/><circle cx="120" cy="104" r="40" fill="#fff8e6"/><rect x="108" y="58" width="24" height="10" rx="2" fill="#a8782c"/>`,
  'reading-lamp-brass': `${wall}${glow(92, 116, 40)}<path d="M150 176V92l-48-34" fill="none" stroke="#b88732" stroke-width="6"/><path d="M70 92l22-44 30 16-14 34z" fill="#c99a45"/><rect x="122" y="172" width="56" height="10" rx="5" fill="#8d6723"/>`,
  'paper-shade-large': `${wall}${glow(120, 108, 72)}<path d="M120 0v50" stroke="#3a3a36" stroke-width="2"/><ellipse cx="120" cy="106" rx="64" ry="56" fill="#fffaf0"/><path d="M58 92h124M56 108h128M60 124h120M72 140h96M72 76h96" stroke="#e6d9bd" stroke-width="2"/>`,
  'table-lamp-ceramic': `${wall}${glow(120, 76, 64)}<path d="M76 92l18-56h52l18 56z" fill="#fbf1dc"/><path d="M96 110q-26 40 4 66h40q30-26 4-66z" fill="#5f7f78"/><path d="M112 92h16v20h-16z" fill="#a8782c"/>`,
  'wall-light-glass': `${wall}${glow(120, 74, 54)}<path d="M120 150v-32" stroke="#a8782c" stroke-width="6"/><path d="M92 52h56l-8 66h-40z" fill="#fdf6e3"/><path d="M102 54l4 62M120 54v62M138 54l-4 62" stroke="#e3d6b8" stroke-width="2"/>`,
  'clamp-lamp-green': `${wall}${glow(84, 110, 40)}<path d="M152 176V98l-52-26" fill="none" stroke="#4d5a52" stroke-width="5"/><path d="M64 104l22-44 28 16-14 40z" fill="#4f7d5b"/><path d="M140 168h26v14h-26z" fill="#4d5a52"/>`,
  'linen-natural': folds('#e6dcc6', '#c7b999'),
  'wool-felt-moss': folds('#7d8a58', '#56623a'),
  'velvet-ochre': folds('#d39a2d', '#9c6a14'),
  'cotton-indigo': folds('#4d6391', '#2c3e66'),
  'canvas-rust': folds('#b5603a', '#83401f'),
}

/** Returns the drawing of a product as SVG. */
export function drawing(slug) {
  return `<svg viewBox="0 0 240 200" aria-hidden="true">${drawings[slug]}</svg>`
}
