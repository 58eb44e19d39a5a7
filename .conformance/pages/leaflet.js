import 'leaflet/dist/leaflet.css'
import L from 'leaflet'
import icon from 'leaflet/dist/images/marker-icon.png'

const root = document.querySelector('#root')
root.style.height = '560px'
const map = L.map(root, { fadeAnimation: false, zoomAnimation: false }).setView([51.5, -0.1], 12)
L.tileLayer('/lamp.png?tile={z}-{x}-{y}', { attribution: 'Tiles of the test' }).addTo(map)
L.circle([51.508, -0.11], { color: 'crimson', fillColor: 'gold', fillOpacity: 0.5, radius: 900 }).addTo(map)
L.polygon([
  [51.52, -0.06],
  [51.48, -0.02],
  [51.51, 0.02],
]).addTo(map)
L.marker([51.5, -0.1], { icon: L.icon({ iconUrl: icon, iconSize: [25, 41], iconAnchor: [12, 41] }) })
  .addTo(map)
  .bindPopup('<b>The shop</b><br>Open until six', { autoPan: false })
