"""How units and currencies are read in Korean: tables for people to read and extend, laid out as those of `spoken.py`.

The `VERSION` of `spoken.py` changes whenever a row does.
"""

from .spoken import table_rows

UNITS = table_rows("""
km 킬로미터 킬로 키로
m 미터
cm 센티미터 센티 센치
mm 밀리미터 밀리 미리
μm 마이크로미터 마이크로
nm 나노미터 나노
kg 킬로그램 킬로 키로
g 그램
mg 밀리그램 밀리
t 톤
L 리터
l 리터
ℓ 리터
mL 밀리리터 밀리 미리
ml 밀리리터 밀리 미리
cc 시시 씨씨
㎡ 제곱미터 평방미터
m² 제곱미터 평방미터
m2 제곱미터 평방미터
㎥ 세제곱미터 입방미터 루베
m³ 세제곱미터 입방미터 루베
m3 세제곱미터 입방미터 루베
㎢ 제곱킬로미터 평방킬로미터
km² 제곱킬로미터 평방킬로미터
ha 헥타르
km/h 킬로미터퍼아워 킬로미터매시
m/s 미터퍼세컨드 미터퍼세크 미터매초
% 퍼센트 프로 퍼
%p 퍼센트포인트 프로포인트 퍼센트피
%포인트 퍼센트포인트 프로포인트
‰ 퍼밀
ppm 피피엠
° 도
℃ 도
°C 도
℉ 도
°F 도
V 볼트
kV 킬로볼트
W 와트
kW 킬로와트
MW 메가와트
GW 기가와트
kWh 킬로와트시 킬로와트아워
A 암페어
mA 밀리암페어
mAh 밀리암페어시 밀리암페어아워
Hz 헤르츠
kHz 킬로헤르츠
MHz 메가헤르츠
GHz 기가헤르츠
dB 데시벨
B 바이트
KB 킬로바이트 킬로
kB 킬로바이트 킬로
MB 메가바이트 메가
GB 기가바이트 기가
TB 테라바이트 테라
Mbps 메가비피에스 메가비트퍼세컨드
Gbps 기가비피에스 기가비트퍼세컨드
kcal 킬로칼로리
cal 칼로리
Pa 파스칼
hPa 헥토파스칼
N 뉴턴
rpm 알피엠 아르피엠
RPM 알피엠 아르피엠
h 시간
min 분
s 초
in 인치
" 인치
ft 피트
lb 파운드
px 픽셀
dpi 디피아이
k 케이
""")

UNIT_COUNTERS = {"h": "시간"}  # before these readings of units numbers are native too

# in front of the number and its unit: 시속 100킬로미터 for 100km/h
UNIT_PREFIXES = {"km/h": ["시속"], "m/s": ["초속"], "℃": ["섭씨"], "°C": ["섭씨"], "℉": ["화씨"], "°F": ["화씨"]}
TEMPERATURES = ("℃", "°C", "℉", "°F", "도", "°")

# signs stand before the number, codes on either side; the reading follows the number
CURRENCIES = table_rows("""
$ 달러 불
₩ 원
€ 유로
£ 파운드
¥ 엔 위안
US$ 달러 미국달러 불
HK$ 홍콩달러 달러
USD 달러 미국달러 불
KRW 원
JPY 엔
EUR 유로
""")
